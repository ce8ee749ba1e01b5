import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Title, an optional line beneath it, and a form: every page of the auth frame. */
export function AuthPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  return (
    <>
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      {text !== undefined && <p className="mt-1 text-muted-foreground">{text}</p>}
      <div className="mt-6">{children}</div>
    </>
  )
}

/** The way to another page of the frame, at the foot of the form. */
export function AuthLink({
  text,
  to,
  children,
}: {
  text: string
  to: NonNullable<LinkProps['to']>
  children: ReactNode
}) {
  return (
    <p className="mt-6 text-center text-muted-foreground">
      {text} <TextLink to={to}>{children}</TextLink>
    </p>
  )
}

export function TextLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="rounded font-medium text-primary underline underline-offset-4 hover:text-primary-hover pointer-coarse:inline-block pointer-coarse:py-2.5"
    >
      {children}
    </Link>
  )
}
