import { type ReactNode, useEffect, useId } from 'react'
import * as z from 'zod/mini'
import { loginEnrolment, loginSecondFactor } from '@/client/sdk.gen'
import type { TotpSecret } from '@/client/types.gen'
import { CodeField } from '@/components/form/code-field'
import { SubmitError } from '@/components/form/submit-error'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { isLogInOver } from '@/data/api/errors'
import { useOffersPasskeys } from '@/data/api/instance'
import type { BegunLogIn } from '@/data/begun-log-in'
import { beginSession } from '@/data/session'
import { logInCode } from '@/lib/validation/rules'
import { AuthForm, AuthPage } from '../auth-page'
import { PasskeyButton, usePasskeyLogIn } from '../passkey-log-in'
import { Enrolment, StartAgain } from './enrolment'

export interface BegunStep extends BegunLogIn {
  /** For an account that must use an authenticator app and has none. */
  secret?: TotpSecret
}

export async function beginSecondStep(begun: BegunLogIn): Promise<BegunStep> {
  if (!begun.enrol) return begun
  return { ...begun, secret: (await loginEnrolment({ body: { login: begun.login } })).data }
}

interface SecondStepProps {
  begun: BegunStep
  /** @param error absent if the person has cancelled */
  onRestart: (error?: unknown) => void
}

export function SecondStepPage({ begun, onRestart }: SecondStepProps) {
  const { login, text, methods, secret } = begun
  if (secret) return <Enrolment login={login} text={text} secret={secret} onRestart={onRestart} />
  const takesRecoveryCodes = methods.includes('recovery_code')
  const takesCodes = takesRecoveryCodes || methods.includes('totp')
  const passkey = methods.includes('passkey') && <ByPasskey isOnly={!takesCodes} />
  return takesCodes ? (
    <ByCode {...{ login, text, takesRecoveryCodes, onRestart }}>{passkey}</ByCode>
  ) : (
    <AuthPage title="Two-step login" text={`${text}.`}>
      {passkey}
      <StartAgain onRestart={onRestart} />
    </AuthPage>
  )
}

const schema = z.object({ code: logInCode() })

interface ByCodeProps extends Pick<SecondStepProps, 'onRestart'> {
  login: string
  text: string
  takesRecoveryCodes: boolean
  children: ReactNode
}

function ByCode({ login, text, takesRecoveryCodes, onRestart, children }: ByCodeProps) {
  const textId = useId()
  const form = useZodForm(schema, { code: '' })
  const verify = useSave(form, {
    send: async ({ code }) => {
      const { data } = await loginSecondFactor({ body: { login, code } })
      await beginSession(data.access_token)
    },
    meta: { failure: 'form' },
    onError: (error) => {
      if (isLogInOver(error)) onRestart(error)
      else form.setFocus('code', { shouldSelect: true })
    },
  })
  useEffect(() => form.setFocus('code'), [form])
  return (
    <AuthPage
      title="Two-step login"
      textId={textId}
      text={takesRecoveryCodes ? `${text}. If you do not have it, enter one of your recovery codes.` : `${text}.`}
    >
      <AuthForm form={form} aria-label="Two-step login" aria-describedby={textId} onSubmit={verify.onSubmit}>
        <CodeField
          control={form.control}
          name="code"
          takesRecoveryCodes={takesRecoveryCodes}
          onComplete={verify.submit}
          footnote={<SubmitError error={verify.error} />}
        />
        <Button type="submit" pending={verify.pending} className="w-full">
          Verify
        </Button>
        {children}
        <StartAgain onRestart={onRestart} />
      </AuthForm>
    </AuthPage>
  )
}

function ByPasskey({ isOnly }: { isOnly: boolean }) {
  const isOffered = useOffersPasskeys()
  const logIn = usePasskeyLogIn()
  if (isOffered) return <PasskeyButton logIn={logIn} />
  return isOnly && <p>Your browser has no passkeys at this address.</p>
}
