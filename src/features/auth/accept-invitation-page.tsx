import { getRouteApi, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { loginAcceptInvitation } from '@/client/sdk.gen'
import { Alert } from '@/components/ui/alert'
import { NewPasswordFields, TextField } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { UserText } from '@/components/ui/user-text'
import { isLinkRefused } from '@/data/api/errors'
import { confirmation, fullName, matching, password } from '@/lib/validation/rules'
import { AuthForm, AuthPage, LogOutFirst, PasswordPage, InlineLink, withRemovalNote } from './auth-page'

const route = getRouteApi('/_auth/accept-invitation')

const schema = z
  .object({ full_name: fullName(), password: password(), confirm_password: confirmation() })
  .check(matching('password'))

export function AcceptInvitationPage() {
  const { loggedInAs } = route.useRouteContext()
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const form = useZodForm(schema, { full_name: '', password: '', confirm_password: '' })
  const accept = useSave(form, {
    send: async ({ full_name, password: chosen }) => {
      if (token === undefined) return undefined
      // Without a name, the account keeps the name in the invitation.
      const name = full_name === '' ? {} : { full_name }
      return (await loginAcceptInvitation({ body: { token, password: chosen, ...name } })).data
    },
    meta: { success: (answer) => withRemovalNote('Your password is set.', answer) },
    onSaved: () => {
      form.reset()
      return navigate({ to: '/login' })
    },
  })
  const { control } = form
  if (loggedInAs !== undefined)
    return (
      <AuthPage title="Welcome">
        <p className="mb-6">
          You are logged in as <UserText>{loggedInAs}</UserText>. Log out to accept the invitation to another account.
        </p>
        <LogOutFirst />
      </AuthPage>
    )
  return (
    <PasswordPage title="Welcome" text="Choose a password for your account.">
      <AuthForm save={accept} submitLabel="Set Password">
        {token === undefined && (
          <Alert className="mb-6">
            This link is incomplete, so no password can be set with it. Please open the link in the mail again, or ask
            an administrator for a new one.
          </Alert>
        )}
        {isLinkRefused(accept.error) && (
          <Alert role="alert" className="mb-6">
            This link was used before or is too old. If you have chosen a password,{' '}
            <InlineLink to="/login">log in</InlineLink>; otherwise ask an administrator for a new one.
          </Alert>
        )}
        <TextField control={control} name="full_name" label="Full Name" autoComplete="name" />
        <NewPasswordFields control={control} name="password" label="New Password" />
      </AuthForm>
    </PasswordPage>
  )
}
