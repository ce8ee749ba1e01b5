import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { loginConfirmEmail } from '@/client/sdk.gen'
import { Alert } from '@/components/ui/alert'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { currentUserOptions } from '@/data/api/current-user'
import { isLinkRefused } from '@/data/api/errors'
import { AuthForm, AuthPage } from './auth-page'

const route = getRouteApi('/_auth/confirm-email')

const schema = z.object({})

/** Confirms an address by a press, as scanners of mails open links. Without a session, and in any. */
export function ConfirmEmailPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const form = useZodForm(schema, {})
  const confirm = useSave(form, {
    send: () => loginConfirmEmail({ body: { token: token ?? '' } }),
    meta: { success: 'The address is confirmed.' },
    onSaved: async () => {
      await queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
      return navigate({ to: '/' })
    },
  })
  return (
    <AuthPage title="Confirm Email" text="Press only if this account is yours.">
      <AuthForm form={form} onSubmit={confirm.onSubmit}>
        {token === undefined && (
          <div className="mb-6">
            <Alert>
              This link is incomplete, so no address can be confirmed with it. Please open the link in the mail again.
            </Alert>
          </div>
        )}
        {isLinkRefused(confirm.error) && (
          <div role="alert" className="mb-6">
            <Alert>
              This link was used before or is too old. If you confirmed already, all is well. Otherwise log in to get a
              new one.
            </Alert>
          </div>
        )}
        <Button type="submit" disabled={token === undefined} pending={confirm.pending} className="w-full">
          Confirm
        </Button>
      </AuthForm>
    </AuthPage>
  )
}
