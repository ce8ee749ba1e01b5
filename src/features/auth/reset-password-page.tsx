import { getRouteApi, useNavigate } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { loginResetPassword } from '@/client/sdk.gen'
import { Alert } from '@/components/ui/alert'
import { CheckboxField, NewPasswordFields } from '@/components/form/fields'
import { useSave, useZodForm } from '@/components/form/use-form'
import { isLinkRefused } from '@/data/api/errors'
import { useKnownInstance } from '@/data/api/instance'
import { confirmation, matching, password } from '@/lib/validation/rules'
import { AuthForm, PasswordPage, InlineLink, withRemovalNote } from './auth-page'

const route = getRouteApi('/_auth/reset-password')

const schema = z
  .object({ new_password: password(), confirm_password: confirmation(), end_tokens: z.boolean() })
  .check(matching('new_password'))

export function ResetPasswordPage() {
  const { token } = route.useSearch()
  const navigate = useNavigate()
  const form = useZodForm(schema, { new_password: '', confirm_password: '', end_tokens: true })
  const hasTokens = useKnownInstance().name !== undefined
  const reset = useSave(form, {
    // Without a token, nothing is sent and success is reported.
    send: async ({ new_password, end_tokens }) => {
      const body = { new_password, ...(hasTokens && end_tokens && { end_tokens }) }
      return token === undefined ? undefined : (await loginResetPassword({ body: { token, ...body } })).data
    },
    meta: { success: (answer) => withRemovalNote('Password updated successfully.', answer) },
    onSaved: () => {
      form.reset()
      return navigate({ to: '/login' })
    },
  })
  return (
    <PasswordPage title="Reset Password">
      <AuthForm save={reset} submitLabel="Reset Password">
        {token === undefined && (
          <Alert className="mb-6">
            This link is incomplete, so the password cannot be changed with it. Please open the link in the mail again,
            or <InlineLink to="/recover-password">ask for a new one</InlineLink>.
          </Alert>
        )}
        {isLinkRefused(reset.error) && (
          <Alert role="alert" className="mb-6">
            This link was used before or is too old. <InlineLink to="/recover-password">Ask for a new one</InlineLink>{' '}
            to choose a password.
          </Alert>
        )}
        <NewPasswordFields control={form.control} name="new_password" label="New Password" />
        {/* The hidden checkbox keeps its room, so that nothing moves when it appears. */}
        <div style={hasTokens ? undefined : { visibility: 'hidden' }}>
          <CheckboxField control={form.control} name="end_tokens" label="Also revoke API tokens" />
        </div>
      </AuthForm>
    </PasswordPage>
  )
}
