import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { loginLink, loginLinkAccount } from '@/client/sdk.gen'
import { SubmitError } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { beginSession } from '@/data/session'
import { AuthForm, AuthPage } from './auth-page'

const schema = z.object({})

/** Waits for a click, because a link may be sent to trick others into an account. */
export function LinkLogIn({ token, onEnd }: { token: string; onEnd: (error?: unknown) => void }) {
  const [email, setEmail] = useState<string>()
  const isRead = useRef(false)
  const form = useZodForm(schema, {})
  const logIn = useSave(form, {
    send: async () => {
      const { data } = await loginLink({ body: { token } })
      await beginSession(data.access_token)
    },
    meta: { failure: 'form' },
  })
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    // React may run this effect twice, but the server limits how often a link is read.
    if (isRead.current) return
    isRead.current = true
    loginLinkAccount({ body: { token } }).then(
      ({ data }) => setEmail(data.email),
      (failure: unknown) => end(failure),
    )
  }, [token])
  return (
    <AuthPage title="Login to your account">
      {email === undefined ? (
        <output>Whose link this is will be shown here.</output>
      ) : (
        <AuthForm form={form} onSubmit={logIn.onSubmit}>
          <p className="mb-6">
            This link logs you in as <UserText>{email}</UserText>. Continue only if this account is yours.
          </p>
          <Button type="submit" pending={logIn.pending} className="w-full">
            Log In
          </Button>
          <div className="my-2 text-destructive">
            <SubmitError error={logIn.error} />
          </div>
          <Button variant="secondary" className="w-full" onClick={() => onEnd()}>
            Cancel
          </Button>
        </AuthForm>
      )}
    </AuthPage>
  )
}
