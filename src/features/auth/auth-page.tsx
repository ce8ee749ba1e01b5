import type { LinkProps } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, type SubmitEventHandler, useEffect } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { Message } from '@/client/types.gen'
import { type Form, useAskBeforeReload } from '@/components/form/use-form'
import { Link } from '@/components/link'
import { Button } from '@/components/ui/button'
import { focusHeading } from '@/browser/focus-heading'
import { useKnownInstance } from '@/data/api/instance'
import { logOut } from '@/data/api/log-out'

/** Of the text of the page, of which there is only one. */
export const textId = 'page-text'

interface AuthPageProps {
  title: string
  text?: string
  notice?: ReactNode
  children: ReactNode
}

export function AuthPage({ title, text, notice, children }: AuthPageProps) {
  return (
    <>
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      {text !== undefined && (
        <p id={textId} className="mt-1 text-muted-foreground">
          {text}
        </p>
      )}
      {notice && <output className="mt-3 block rounded-lg border bg-muted px-4 py-3">{notice}</output>}
      <div className="mt-6">{children}</div>
    </>
  )
}

/** A page about passwords, which some servers turn off. Back ends that omit the field allow them. */
export function PasswordPage(props: AuthPageProps) {
  const { password_log_in: takesPasswords = true, oidc } = useKnownInstance()
  if (takesPasswords) return <AuthPage {...props} />
  return (
    <AuthPage
      title={props.title}
      text={`Log-in with a password is turned off. Log in with ${oidc?.name ?? 'another account'}.`}
    >
      <AuthLink to="/login" link="Log In" />
    </AuthPage>
  )
}

export function LogOutFirst() {
  // The heading of the next page gets the focus.
  useEffect(() => () => void focusHeading(), [])
  return (
    <>
      <Button className="w-full" onClick={logOut}>
        Log Out and Continue
      </Button>
      <AuthLink text="Or go" to="/" link="back to the dashboard" />
    </>
  )
}

interface AuthFormProps<Values extends FieldValues, Output> extends ComponentProps<'form'> {
  save: { form: Form<Values, Output>; pending: boolean; onSubmit: SubmitEventHandler }
  submitLabel: string
}

export function AuthForm<Values extends FieldValues, Output>(props: AuthFormProps<Values, Output>) {
  const { save, submitLabel, children, ...native } = props
  useAskBeforeReload(save.form)
  return (
    // POST keeps the password out of the URL if the browser submits the prerendered form before hydration.
    <form noValidate method="post" onSubmit={save.onSubmit} {...native}>
      {children}
      <Button type="submit" pending={save.pending} className="mt-3 w-full">
        {submitLabel}
      </Button>
    </form>
  )
}

export function OrDivider() {
  return (
    <p className="mt-3 flex items-center gap-3 text-muted-foreground before:flex-1 before:border-t before:border-border after:flex-1 after:border-t after:border-border">
      or
    </p>
  )
}

interface AuthLinkProps {
  text?: string
  to: NonNullable<LinkProps['to']>
  link: string
  /** Whether the line is invisible, but keeps its room, so that nothing moves when it appears. */
  isHidden?: boolean
}

export function AuthLink({ text, to, link, isHidden = false }: AuthLinkProps) {
  return (
    <p
      className="mt-2 text-center text-muted-foreground [&_a]:inline-block [&_a]:py-1 pointer-coarse:[&_a]:px-1 pointer-coarse:[&_a]:py-3"
      style={isHidden ? { visibility: 'hidden' } : undefined}
    >
      {text} <InlineLink to={to}>{link}</InlineLink>
    </p>
  )
}

export function InlineLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: ReactNode }) {
  return (
    <Link to={to} className="rounded font-medium text-primary underline underline-offset-4 hover:text-primary-hover">
      {children}
    </Link>
  )
}

/** Appends what the API says about things removed from the account, such as tokens. */
export function withRemovalNote(success: string, answer: unknown): string {
  const { message = '' } = (answer ?? {}) as Partial<Message>
  const [, addition] = /^[^.]+\. (.+)$/.exec(message) ?? []
  return addition === undefined ? success : `${success} ${addition}.`
}
