import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Logo } from '@/components/logo'

/** The frame of every page for people who are not signed in (SPEC 2). */
export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col items-center px-4 py-8 sm:justify-center">
      <Link to="/" className="mb-6 rounded-md">
        <Logo />
      </Link>
      <main className="w-full max-w-sm rounded-lg border bg-surface p-6 sm:p-8">{children}</main>
    </div>
  )
}
