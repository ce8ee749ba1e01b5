import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { usersReadUserMe, usersUpdateUserMe } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { useGuardedSave } from '@/components/form/use-guarded-save'
import { useKeptForm } from '@/components/form/use-kept-form'
import { Button } from '@/components/ui/button'
import { FieldFrame } from '@/components/ui/field'
import { Input } from '@/components/ui/input'
import { currentUserOptions } from '@/lib/api/current-user'
import { SettingsSection } from './settings-section'
import { toValues, useProfileForm } from './use-profile-form'

const labels = { full_name: 'Full Name', email: 'Email' }

export function ProfileForm({ user }: { user: UserPublic }) {
  const id = useId()
  const queryClient = useQueryClient()
  const form = useProfileForm(user)
  const show = (stored: UserPublic): unknown => queryClient.setQueryData(currentUserOptions.queryKey, stored)
  const { onSubmit, pending, notice } = useGuardedSave(form, {
    subject: 'Your account',
    labels,
    toValues,
    read: () => usersReadUserMe({ throwOnError: true }),
    write: ({ email: address, full_name }, headers) => {
      const body = { email: address, full_name: full_name || null }
      return usersUpdateUserMe({ body, headers, throwOnError: true })
    },
    meta: { success: 'User updated successfully.', invalidates: ['users'] },
    onSaved: (saved, sent) => {
      form.finish(toValues(saved), sent)
      show(saved)
    },
    onChangedElsewhere: show,
  })
  useEffect(() => form.follow(toValues(user)), [form, user])
  useKeptForm(form, 'User information')

  // SPEC 5: Save needs a change and an address that is not empty; Cancel takes back what was changed.
  const canCancel = form.isDirty() && notice === null
  const canSave = canCancel && form.getValues().email.trim() !== ''
  return (
    <SettingsSection title="User information" text="Update your user details.">
      <form noValidate onSubmit={onSubmit}>
        {notice}
        <FieldFrame id={`${id}-name`} label={labels.full_name} messages={form.messagesOf('full_name')}>
          {(state) => <Input {...form.register('full_name')} {...state} id={`${id}-name`} autoComplete="name" />}
        </FieldFrame>
        <FieldFrame id={`${id}-email`} label={labels.email} required messages={form.messagesOf('email')}>
          {(state) => (
            <Input {...form.register('email')} {...state} id={`${id}-email`} type="email" autoComplete="email" />
          )}
        </FieldFrame>
        <div className="mt-2 flex gap-2">
          <Button type="submit" disabled={!canSave} pending={pending}>
            Save
          </Button>
          <Button variant="secondary" disabled={!canCancel || pending} onClick={() => form.reset(toValues(user))}>
            Cancel
          </Button>
        </div>
      </form>
    </SettingsSection>
  )
}
