import { useEffect, useEffectEvent, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { loginLink, loginLinkAccount } from '@/client/sdk.gen'
import { SubmitError } from '@/components/form/submit-error'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { beginSession } from '@/data/session'
import { AuthForm, AuthPage } from './auth-page'

const schema = z.object({})

interface LinkLogInProps {
  /** Of a link of the operator. */
  token: string
  /** @param error why, unless the person wants it */
  onEnd: (error?: unknown) => void
}

/** Names the account of a link and waits for a press, as somebody may have passed it on to log others in to their own. */
export function LinkLogIn({ token, onEnd }: LinkLogInProps) {
  const [email, setEmail] = useState<string>()
  const isBegun = useRef(false)
  const form = useZodForm(schema, {})
  const logIn = useSave(form, {
    send: async () => {
      const { data } = await loginLink({ body: { token } })
      await beginSession(data.access_token)
    },
    meta: { failure: 'form' },
  })
  const read = useEffectEvent(async () => {
    try {
      setEmail((await loginLinkAccount({ body: { token } })).data.email)
    } catch (failure) {
      onEnd(failure)
    }
  })
  useEffect(() => {
    // React may mount a page twice.
    if (isBegun.current) return
    isBegun.current = true
    void read()
  }, [])
  if (email === undefined)
    return (
      <AuthPage title="Login to your account">
        <output>Whose link this is will be shown here.</output>
      </AuthPage>
    )
  return (
    <AuthPage title="Login to your account">
      <p className="mb-6">
        This link logs you in as <UserText>{email}</UserText>. Press only if this account is yours.
      </p>
      <AuthForm form={form} onSubmit={logIn.onSubmit}>
        <Button type="submit" pending={logIn.pending} className="w-full">
          Log In
        </Button>
        <div className="my-2 text-destructive">
          <SubmitError error={logIn.error} />
        </div>
        <Button type="button" variant="secondary" className="w-full" onClick={() => onEnd()}>
          Cancel
        </Button>
      </AuthForm>
    </AuthPage>
  )
}
