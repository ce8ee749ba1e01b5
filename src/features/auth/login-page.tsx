import { useState } from 'react'
import { flushSync } from 'react-dom'
import * as z from 'zod/mini'
import { loginLoginAccessToken } from '@/client/sdk.gen'
import { PasswordField } from '@/components/form/password-field'
import { SubmitError } from '@/components/form/submit-error'
import { TextField } from '@/components/form/text-field'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { errorMessage, secondStepOf } from '@/data/api/errors'
import { useKnownInstance } from '@/data/api/instance'
import { useLogInState } from '@/data/return-to'
import { beginSession } from '@/data/session'
import { email, existingPassword } from '@/lib/validation/rules'
import { AuthForm, AuthLink, AuthPage, TextLink } from './auth-page'
import { PasskeyLogIn } from './passkey-log-in'
import { beginSecondStep, type BegunStep, SecondStepPage } from './second-step/second-step'

const schema = z.object({ username: email(), password: existingPassword() })

const notices = {
  'signed-up': 'Account created. Log in to continue.',
  'session-ended': 'Your session has ended. Log in again.',
}

export function LoginPage() {
  const logInState = useLogInState(({ userId, returnTo }) => ({
    ...(userId && { userId }),
    ...(returnTo && { returnTo }),
  }))
  const form = useZodForm(schema, { username: logInState.email ?? '', password: '' })
  // Only in memory, as it is worth a password.
  const [begun, setBegun] = useState<BegunStep | null>(null)
  const [ended, setEnded] = useState<unknown>(null)
  const logIn = useSave(form, {
    send: async (body) => {
      try {
        const { data } = await loginLoginAccessToken({ body })
        // The form is pending until the application has updated.
        await beginSession(data.access_token)
      } catch (error) {
        const step = secondStepOf(error)
        if (!step) throw error
        setBegun(await beginSecondStep(step, errorMessage(error)))
      }
    },
    meta: { failure: 'form' },
  })
  const { sign_up: signUp } = useKnownInstance()
  if (begun) return <SecondStepPage begun={begun} onRestart={restart} />

  /** @param error why, unless the person wants it */
  function restart(error: unknown = null): void {
    form.reset({ ...form.getValues(), password: '' })
    flushSync(() => {
      setBegun(null)
      setEnded(error)
    })
    form.setFocus(error === null ? 'username' : 'password')
  }

  return (
    <AuthPage title="Login to your account" notice={logInState.reason && notices[logInState.reason]}>
      <AuthForm
        form={form}
        onSubmit={(event) => {
          if (logIn.error) logIn.reset()
          setEnded(null)
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
        <div className="relative">
          <PasswordField
            control={form.control}
            name="password"
            label="Password"
            autoComplete="current-password"
            required="unmarked"
            footnote={<SubmitError error={logIn.error ?? ended} />}
          />
          {/* On the label's line, and after the field for the Tab key. */}
          <p className="absolute -top-1 right-0 pointer-coarse:-top-3 [&_a]:inline-block [&_a]:py-1 pointer-coarse:[&_a]:py-3">
            <TextLink to="/recover-password">Forgot your password?</TextLink>
          </p>
        </div>
        <Button type="submit" pending={logIn.pending} className="mt-2 w-full">
          Login
        </Button>
        <PasskeyLogIn />
        <AuthLink text="Don't have an account?" to="/signup" isHidden={signUp === 'closed'}>
          Sign up
        </AuthLink>
      </AuthForm>
    </AuthPage>
  )
}
