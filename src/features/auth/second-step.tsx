import { useEffect, useState } from 'react'
import * as z from 'zod/mini'
import { loginEnrolmentConfirm, loginSecondFactor } from '@/client/sdk.gen'
import type { TotpSecret } from '@/client/types.gen'
import { CodeField, SubmitError } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { AppSecret } from '@/components/second-factor/app-secret'
import { RecoveryCodes, recoveryCodesText } from '@/components/second-factor/recovery-codes'
import { Button } from '@/components/ui/button'
import { isLogInOver } from '@/data/api/errors'
import { useOffersPasskeys } from '@/data/api/instance'
import { useRequest } from '@/data/api/use-request'
import type { PendingLogIn } from '@/data/pending-log-in'
import { focusHeading } from '@/browser/focus-heading'
import { beginSession, enterSession, getToken, storeSession } from '@/data/session'
import { appCode, logInCode } from '@/lib/validation/rules'
import { AuthForm, AuthPage, textId } from './auth-page'
import { PasskeyButton, usePasskeyLogIn } from './passkey-log-in'

export interface PendingStep extends PendingLogIn {
  /** Set for accounts that must use an authenticator app and have none. */
  secret?: TotpSecret | undefined
}

const schemas = { app: z.object({ code: appCode() }), any: z.object({ code: logInCode() }) }

export function SecondStepPage(props: { begun: PendingStep; onRestart: (error?: unknown) => void }) {
  const { begun, onRestart } = props
  const { login, text, methods, secret } = begun
  const [codes, setCodes] = useState<string[] | null>(null)
  const isPasskeyOffered = useOffersPasskeys()
  const byPasskey = usePasskeyLogIn()
  const form = useZodForm(secret ? schemas.app : schemas.any, { code: '' })
  const verify = useSave(form, {
    send: async ({ code }) => {
      const body = { login, code }
      if (!secret) return beginSession((await loginSecondFactor({ body })).data.access_token)
      const { data } = await loginEnrolmentConfirm({ body })
      storeSession(data.access_token)
      setCodes(data.recovery_codes)
    },
    meta: { failure: 'form' },
    onError: (error) => {
      if (isLogInOver(error)) onRestart(error)
      else form.setFocus('code', { shouldSelect: true })
    },
  })
  const hasSecret = secret !== undefined
  useEffect(() => {
    // An on-screen keyboard would cover the QR code.
    if (hasSecret) focusHeading()
    else form.setFocus('code')
  }, [form, hasSecret])
  if (codes) return <NewCodes codes={codes} onRestart={onRestart} />

  const takesRecoveryCodes = methods.includes('recovery_code')
  const takesCodes = hasSecret || takesRecoveryCodes || methods.includes('totp')
  const recovery = takesRecoveryCodes ? '. If you do not have it, enter one of your recovery codes.' : '.'
  const advice = hasSecret ? ': scan the QR code with it, and enter the code that it shows.' : recovery
  return (
    <AuthPage title="Two-step login" text={`${text}${advice}`}>
      {takesCodes && (
        <AuthForm save={verify} submitLabel="Verify" aria-label="Two-step login" aria-describedby={textId}>
          {secret && <AppSecret secret={secret} />}
          <CodeField
            control={form.control}
            name="code"
            takesRecoveryCodes={takesRecoveryCodes}
            onComplete={verify.submit}
            footnote={<SubmitError error={verify.error} />}
          />
        </AuthForm>
      )}
      {methods.includes('passkey') && isPasskeyOffered && <PasskeyButton logIn={byPasskey} />}
      {!takesCodes && !isPasskeyOffered && <p>Your browser has no passkeys at this address.</p>}
      <Button variant="ghost" className="mt-2 w-full" onClick={() => onRestart()}>
        Start again
      </Button>
    </AuthPage>
  )
}

function NewCodes({ codes, onRestart }: { codes: string[]; onRestart: () => void }) {
  const [isSaved, setIsSaved] = useState(false)
  const enter = useRequest({ mutationFn: enterSession })
  return (
    <AuthPage title="Recovery codes" text={recoveryCodesText}>
      <RecoveryCodes codes={codes} isSaved={isSaved} onSavedChange={setIsSaved} />
      <Button
        className="w-full"
        disabled={!isSaved}
        pending={enter.pending}
        // The session may have ended in another tab.
        onClick={() => (getToken() === null ? onRestart() : enter.send())}
      >
        Done
      </Button>
    </AuthPage>
  )
}
