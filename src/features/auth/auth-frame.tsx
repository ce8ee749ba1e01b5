import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { instanceReadInstance } from '@/client/sdk.gen'
import { Logo } from '@/components/logo'

const SignUpContext = createContext(true)

/** Whether sign-up is open. True until the back end has responded. */
export function useIsSignUpOpen(): boolean {
  return useContext(SignUpContext)
}

/** The frame of pages for guests (SPEC 2). */
export function AuthFrame({ children }: { children: ReactNode }) {
  const [isSignUpOpen, setSignUpOpen] = useState(true)
  // Not a query: `useQuery` is in the shell's chunk, and the end of a session cancels queries.
  useEffect(() => {
    instanceReadInstance()
      .then(({ data }) => setSignUpOpen(data.sign_up !== 'closed'))
      .catch(() => undefined)
  }, [])
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:justify-center">
      <header className="mb-6">
        <Link to="/" className="flex items-center rounded-md pointer-coarse:h-11">
          <Logo />
        </Link>
      </header>
      <main className="w-full max-w-sm rounded-lg border bg-surface p-6 sm:p-8">
        <SignUpContext value={isSignUpOpen}>{children}</SignUpContext>
      </main>
    </div>
  )
}
