import { Link } from '@tanstack/react-router'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { instanceReadInstance } from '@/client/sdk.gen'
import { Logo } from '@/components/logo'

const SignUpContext = createContext(true)

/** Whether people can make an account themselves. Until the back end says otherwise, they can. */
export function useIsSignUpOpen(): boolean {
  return useContext(SignUpContext)
}

/** The frame of every page for people who are not signed in (SPEC 2). */
export function AuthFrame({ children }: { children: ReactNode }) {
  const [isSignUpOpen, setSignUpOpen] = useState(true)
  // Not by a query: `useQuery` comes with the shell, and the end of a session cancels queries.
  useEffect(() => {
    instanceReadInstance({ throwOnError: true })
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
