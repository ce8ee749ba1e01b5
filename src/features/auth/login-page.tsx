import { useHydrated } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { loginEnrolment, loginLoginAccessToken } from '@/client/sdk.gen'
import { PasswordField, SubmitError, TextField } from '@/components/form/fields'
import { lazyPart } from '@/components/lazy'
import { useSave, useZodForm } from '@/components/form/use-form'
import { textLink } from '@/components/ui/classes'
import { errorMessage, secondStepOf } from '@/data/api/errors'
import { useKnownInstance } from '@/data/api/instance'
import { instanceOfPage, type PageInstance } from '@/data/page-instance'
import { forgetPendingLogIn, keepPendingLogIn, readPendingLogIn } from '@/data/pending-log-in'
import { type LogInState, useLogInState } from '@/data/return-to'
import { beginSession } from '@/data/session'
import { email, existingPassword } from '@/lib/validation/rules'
import { AuthForm, AuthLink, AuthPage, OrDivider, InlineLink } from './auth-page'
import { CompanyLogIn, useHandedLogIn } from './company-log-in'
import { PasskeyLogIn } from './passkey-log-in'
import { type PendingStep, SecondStepPage } from './second-step'

const LinkLogIn = lazyPart(async () => (await import('./link-log-in')).LinkLogIn, { preload: false })

const schema = z.object({ username: email(), password: existingPassword() })

const notices = {
  'signed-up': 'Account created. Log in to continue.',
  'session-ended': 'Your session has ended. Log in again.',
}

export function LoginPage() {
  const logInState = useLogInState(({ userId, returnTo }) => ({ userId, returnTo }))
  const form = useZodForm(schema, { username: logInState.email ?? '', password: '' })
  const isHydrated = useHydrated()
  const [begun, setBegun] = useState<PendingStep | null>()
  // A pending log-in is restored only after hydration, because the prerendered page contains the form.
  if (isHydrated && begun === undefined) setBegun(readPendingLogIn() ?? null)
  const { oidc, password_log_in: takesPasswords = true, sign_up: signUp } = useKnownInstance(instanceOfPage)
  const handed = useHandedLogIn(oidc?.name)
  const logIn = useSave(form, {
    send: async (body) => {
      try {
        const { data } = await loginLoginAccessToken({ body })
        await beginSession(data.access_token)
      } catch (error) {
        const step = secondStepOf(error)
        if (!step) throw error
        const { login, enrol } = step
        const pending = { ...step, text: errorMessage(error) }
        keepPendingLogIn(pending)
        setBegun({ ...pending, secret: enrol ? (await loginEnrolment({ body: { login } })).data : undefined })
      }
    },
    meta: { failure: 'form' },
  })
  if (handed.isCompleting)
    return (
      <AuthPage title="Login to your account">
        <output>Logging you in …</output>
      </AuthPage>
    )
  if (handed.link !== undefined) return <LinkLogIn token={handed.link} onEnd={handed.end} onFailure={handed.end} />
  if (begun) return <SecondStepPage begun={begun} onRestart={restart} />
  const error = <SubmitError error={logIn.error ?? handed.error} />

  function restart(failure: unknown = null): void {
    forgetPendingLogIn()
    form.reset({ ...form.getValues(), password: '' })
    flushSync(() => {
      setBegun(null)
      handed.end(failure)
    })
    form.setFocus(failure === null ? 'username' : 'password')
  }

  return (
    <AuthPage title="Login to your account" notice={noticeOf(logInState, oidc)}>
      {oidc && <CompanyLogIn name={oidc.name} returnTo={logInState.returnTo} isOnly={!takesPasswords} />}
      {oidc && takesPasswords && (
        <div className="mb-4">
          <OrDivider />
        </div>
      )}
      {takesPasswords ? (
        <AuthForm
          save={logIn}
          submitLabel="Login"
          onSubmit={(event) => {
            if (logIn.error) logIn.reset()
            handed.end()
            logIn.onSubmit(event)
          }}
        >
          <TextField
            control={form.control}
            name="username"
            label="Email"
            type="email"
            autoComplete="username webauthn"
            required="unmarked"
          />
          {/* The room for the error replaces that above the button. */}
          <div className="relative -mb-3">
            <PasswordField
              control={form.control}
              name="password"
              label="Password"
              autoComplete="current-password"
              required="unmarked"
              footnote={error}
            />
            {/* The link is beside the label, but follows the field in the Tab order. */}
            <p className="absolute -top-1 right-0 tiny:static pointer-coarse:-top-3 [&_a]:inline-block [&_a]:py-1 pointer-coarse:[&_a]:py-3">
              <InlineLink to="/recover-password">Forgot your password?</InlineLink>
            </p>
          </div>
        </AuthForm>
      ) : (
        <div className="my-2 text-destructive">{error}</div>
      )}
      <PasskeyLogIn isSuggested={takesPasswords} />
      {takesPasswords && (
        <AuthLink text="Don't have an account?" to="/signup" isHidden={signUp === 'closed'} link="Sign up" />
      )}
    </AuthPage>
  )
}

function noticeOf({ reason }: LogInState, oidc: PageInstance['oidc']): ReactNode {
  if (reason !== 'logged-out-here') return reason && notices[reason]
  if (!oidc?.log_out) return undefined
  return (
    <>
      <span>{`You are still logged in at ${oidc.name}.`}</span>{' '}
      <a href={oidc.log_out} className={textLink}>
        Log out there
      </a>
    </>
  )
}
