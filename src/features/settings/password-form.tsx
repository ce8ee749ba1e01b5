import * as z from 'zod/mini'
import { usersUpdatePasswordMe } from '@/client/sdk.gen'
import { CheckboxField, NewPasswordFields, PasswordField, SaveButton } from '@/components/form/fields'
import { useAskBeforeReload, useSave, useZodForm } from '@/components/form/use-form'
import { TextLink } from '@/components/link'
import { Needs } from '@/components/needs'
import { useCurrentUser } from '@/data/api/current-user'
import { useHasApiTokens, useHasPassword } from '@/data/api/ways-in'
import { confirmation, matching, password } from '@/lib/validation/rules'
import { TwoColumnSection } from '@/components/section'

const schemaWith = (current: z.ZodMiniType<string, string>) =>
  z
    .object({
      current_password: current,
      new_password: password(),
      confirm_password: confirmation(),
      end_tokens: z.boolean(),
    })
    .check(matching('new_password'))
const schemas = { change: schemaWith(password()), set: schemaWith(z.string()) }

export function PasswordForm() {
  const hasPassword = useHasPassword()
  if (hasPassword === undefined) return null
  const kind = hasPassword ? 'change' : 'set'
  return <Form key={kind} kind={kind} />
}

function Form({ kind }: { kind: keyof typeof schemas }) {
  const { email } = useCurrentUser()
  const schema = schemas[kind]
  const form = useZodForm(schema, { current_password: '', new_password: '', confirm_password: '', end_tokens: false })
  const hasTokens = useHasApiTokens('me')
  useAskBeforeReload(form)
  const update = useSave(form, {
    send: ({ current_password, new_password, end_tokens }) =>
      usersUpdatePasswordMe({
        body: { new_password, ...(kind === 'change' && { current_password }), ...(end_tokens && { end_tokens }) },
      }),
    // Reads sessions again, which may have ended, and the dashboard, which may warn about a generated password.
    meta: { success: 'Password updated successfully.', invalidates: ['users'] },
    onSaved: () => form.reset(),
  })
  const { control } = form
  return (
    <TwoColumnSection
      title="Password"
      text={
        kind === 'change'
          ? 'Update your current password. Your other sessions end with it.'
          : 'Your account has no password yet. Your other sessions end when you set one.'
      }
    >
      <form noValidate onSubmit={update.onSubmit}>
        {kind === 'change' && (
          <PasswordField
            control={control}
            name="current_password"
            label="Current Password"
            autoComplete="current-password"
            required
          />
        )}
        <NewPasswordFields control={control} name="new_password" label="New Password" username={email} />
        {hasTokens && <CheckboxField control={control} name="end_tokens" label="Also revoke my API tokens" />}
        <div className="mt-3">
          <SaveButton form={form} pending={update.pending} />
        </div>
      </form>
      <Needs capability="administration">
        <p className="mt-6 text-muted-foreground">
          Passkeys, two-step login and sessions: <TextLink to="/security">Security</TextLink>
        </p>
      </Needs>
    </TwoColumnSection>
  )
}
