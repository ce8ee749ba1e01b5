import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersUpdateUserMeMutation } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { TextField } from '@/components/form/text-field'
import { useKeptForm } from '@/components/form/use-kept-form'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { currentUserOptions } from '@/lib/api/current-user'
import { email, profileName } from '@/lib/validation/rules'
import { SettingsSection } from './settings-section'

const schema = z.object({ full_name: profileName(), email: email() })

function toValues(user: UserPublic): z.input<typeof schema> {
  return { full_name: user.full_name ?? '', email: user.email }
}

export function ProfileForm({ user }: { user: UserPublic }) {
  const queryClient = useQueryClient()
  const form = useZodForm(schema, toValues(user))
  const update = useMutation({
    ...usersUpdateUserMeMutation(),
    meta: { success: 'User updated successfully.', invalidates: ['users'] },
    onSuccess: (changed) => {
      queryClient.setQueryData(currentUserOptions.queryKey, changed)
      form.reset(toValues(changed))
    },
  })
  const submit = useSubmit(form, update, (values) => ({
    body: { email: values.email, full_name: values.full_name || null },
  }))
  // What was changed elsewhere shows here too, except where somebody is writing.
  useEffect(() => form.reset(toValues(user), { keepDirtyValues: true }), [form, user])
  useKeptForm(form, 'User information')
  const { control } = form
  return (
    <SettingsSection title="User information" text="Update your user details.">
      <form noValidate onSubmit={submit}>
        <TextField control={control} name="full_name" label="Full Name" autoComplete="name" />
        <TextField control={control} name="email" label="Email" type="email" autoComplete="email" required />
        <ProfileButtons form={form} pending={update.isPending} />
      </form>
    </SettingsSection>
  )
}

/** SPEC 5: Save needs a change and an address that is not empty; Cancel takes back what was changed. */
function ProfileButtons(props: {
  form: ReturnType<typeof useZodForm<z.input<typeof schema>, unknown>>
  pending: boolean
}) {
  const { form, pending } = props
  const { isDirty } = useFormState({ control: form.control })
  const address = useWatch({ control: form.control, name: 'email' })
  return (
    <div className="mt-2 flex gap-2">
      <Button type="submit" disabled={!isDirty || address.trim() === ''} pending={pending}>
        Save
      </Button>
      <Button variant="secondary" disabled={!isDirty || pending} onClick={() => form.reset()}>
        Cancel
      </Button>
    </div>
  )
}
