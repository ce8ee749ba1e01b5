import { Link } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { usersUpdatePasswordMe } from '@/client/sdk.gen'
import { NewPasswordFields } from '@/components/form/new-password-fields'
import { PasswordField } from '@/components/form/password-field'
import { SaveButton } from '@/components/form/save-button'
import { useSave } from '@/components/form/use-save'
import { useUnsavedText, useZodForm } from '@/components/form/use-zod-form'
import { textLink } from '@/components/ui/classes'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { confirmation, matching, password } from '@/lib/validation/rules'
import { SettingsSection } from './settings-section'

const schema = z
  .object({ current_password: password(), new_password: password(), confirm_password: confirmation() })
  .check(matching('new_password'))

export function PasswordForm() {
  const user = useCurrentUser()
  const form = useZodForm(schema, { current_password: '', new_password: '', confirm_password: '' })
  useUnsavedText(form)
  const update = useSave(form, {
    send: ({ confirm_password, ...body }) => usersUpdatePasswordMe({ body }),
    // The other sessions have ended, and the dashboard shows whether the password was generated.
    meta: { success: 'Password updated successfully.', invalidates: ['users'] },
    onSaved: () => form.reset(),
  })
  const { control } = form
  return (
    <SettingsSection title="Password" text="Update your current password. Your other sessions end with it.">
      <form noValidate onSubmit={update.onSubmit}>
        <PasswordField
          control={control}
          name="current_password"
          label="Current Password"
          autoComplete="current-password"
          required
        />
        <NewPasswordFields
          control={control}
          names={['new_password', 'confirm_password']}
          labels={['New Password', 'Confirm Password']}
          username={user.email}
        />
        <div className="mt-2">
          <SaveButton control={control} schema={schema} rule="valid" pending={update.pending} />
        </div>
      </form>
      {hasCapabilities(user) && (
        <p className="mt-6 text-muted-foreground">
          Passkeys, two-step login and sessions:{' '}
          <Link to="/security" className={textLink}>
            Security
          </Link>
        </p>
      )}
    </SettingsSection>
  )
}
