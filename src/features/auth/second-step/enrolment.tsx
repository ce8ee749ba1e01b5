import { useEffect, useId, useState } from 'react'
import * as z from 'zod/mini'
import { loginEnrolmentConfirm } from '@/client/sdk.gen'
import type { TotpSecret } from '@/client/types.gen'
import { CodeField } from '@/components/form/code-field'
import { SubmitError } from '@/components/form/submit-error'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { AppSecret } from '@/components/second-factor/app-secret'
import { RecoveryCodes, recoveryCodesText } from '@/components/second-factor/recovery-codes'
import { Button } from '@/components/ui/button'
import { isLogInOver } from '@/data/api/errors'
import { focusHeading } from '@/browser/focus-heading'
import { enterSession, getToken, storeSession } from '@/data/session'
import { appCode } from '@/lib/validation/rules'
import { AuthForm, AuthPage } from '../auth-page'

const schema = z.object({ code: appCode() })

interface EnrolmentProps {
  login: string
  text: string
  secret: TotpSecret
  onRestart: (error?: unknown) => void
}

/** Sets up an authenticator app during the log-in, and then shows the recovery codes. */
export function Enrolment({ login, text, secret, onRestart }: EnrolmentProps) {
  const textId = useId()
  const [codes, setCodes] = useState<string[] | null>(null)
  const form = useZodForm(schema, { code: '' })
  const confirm = useSave(form, {
    send: async ({ code }) => {
      const { data } = await loginEnrolmentConfirm({ body: { login, code } })
      // After a reload, the person is still logged in.
      storeSession(data.access_token)
      setCodes(data.recovery_codes)
    },
    meta: { failure: 'form' },
    onError: (error) => {
      if (isLogInOver(error)) onRestart(error)
      else form.setFocus('code', { shouldSelect: true })
    },
  })
  // Not the field, because an on-screen keyboard would cover the QR code.
  useEffect(() => void focusHeading(), [])
  if (codes) return <NewCodes codes={codes} onRestart={onRestart} />
  return (
    <AuthPage
      title="Two-step login"
      textId={textId}
      text={`${text}: scan the QR code with it, and enter the code that it shows.`}
    >
      <AuthForm form={form} aria-label="Two-step login" aria-describedby={textId} onSubmit={confirm.onSubmit}>
        <AppSecret secret={secret} />
        <CodeField
          control={form.control}
          name="code"
          onComplete={confirm.submit}
          footnote={<SubmitError error={confirm.error} />}
        />
        <Button type="submit" pending={confirm.pending} className="w-full">
          Verify
        </Button>
        <StartAgain onRestart={onRestart} />
      </AuthForm>
    </AuthPage>
  )
}

function NewCodes({ codes, onRestart }: { codes: string[]; onRestart: () => void }) {
  const [isSaved, setIsSaved] = useState(false)
  const [isEntering, setIsEntering] = useState(false)
  return (
    <AuthPage title="Recovery codes" text={recoveryCodesText}>
      <RecoveryCodes codes={codes} isSaved={isSaved} onSavedChange={setIsSaved} />
      <Button
        className="w-full"
        disabled={!isSaved}
        pending={isEntering}
        onClick={() => {
          // The session may have ended in another tab.
          if (getToken() === null) return onRestart()
          setIsEntering(true)
          void enterSession()
        }}
      >
        Done
      </Button>
    </AuthPage>
  )
}

export function StartAgain({ onRestart }: { onRestart: () => void }) {
  return (
    <Button variant="ghost" className="mt-2 w-full" onClick={() => onRestart()}>
      Start again
    </Button>
  )
}
