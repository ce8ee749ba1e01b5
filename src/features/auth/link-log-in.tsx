import { useEffect } from 'react'
import { loginLink, loginLinkAccount } from '@/client/sdk.gen'
import { SubmitError } from '@/components/form/fields'
import { Button } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useRequest } from '@/data/api/use-request'
import { beginSession } from '@/data/session'
import { AuthPage } from './auth-page'

/** Waits for a click, because a link may be sent to trick others into an account. */
export function LinkLogIn({ token, onEnd }: { token: string; onEnd: (error?: unknown) => void }) {
  const body = { token }
  const account = useRequest({
    mutationFn: () => loginLinkAccount({ body }),
    meta: { failure: 'form' },
    onError: onEnd,
  })
  const logIn = useRequest({
    mutationFn: async () => beginSession((await loginLink({ body })).data.access_token),
    meta: { failure: 'form' },
  })
  // oxlint-disable-next-line react/exhaustive-deps -- once, because the server limits how often a link is read
  useEffect(() => account.send(), [])
  return (
    <AuthPage title="Login to your account">
      {account.data === undefined ? (
        <output>Whose link this is will be shown here.</output>
      ) : (
        <>
          <p className="mb-6">
            This link logs you in as <UserText>{account.data.data.email}</UserText>. Continue only if this account is
            yours.
          </p>
          <Button pending={logIn.pending} className="w-full" onClick={() => logIn.send()}>
            Log In
          </Button>
          <div className="my-2 text-destructive">
            <SubmitError error={logIn.error} />
          </div>
          <Button variant="secondary" className="w-full" onClick={() => onEnd()}>
            Cancel
          </Button>
        </>
      )}
    </AuthPage>
  )
}
