import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersReadUserMe, usersUpdateUserMe } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { TextField } from '@/components/form/text-field'
import { useGuardedSave } from '@/components/form/use-guarded-save'
import { useKeptForm } from '@/components/form/use-kept-form'
import { useZodForm } from '@/components/form/use-zod-form'
import { Button } from '@/components/ui/button'
import { currentUserOptions } from '@/lib/api/current-user'
import { email, profileName } from '@/lib/validation/rules'
import { SettingsSection } from './settings-section'

const schema = z.object({ full_name: profileName(), email: email() })

type Values = z.infer<typeof schema>

const labels = { full_name: 'Full Name', email: 'Email' }

function toValues(user: UserPublic): Values {
  return { full_name: user.full_name ?? '', email: user.email }
}

export function ProfileForm({ user }: { user: UserPublic }) {
  const queryClient = useQueryClient()
  const form = useZodForm(schema, toValues(user))
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
    onSaved: (saved) => {
      show(saved)
      form.reset(toValues(saved))
    },
    onChangedElsewhere: show,
  })
  // What was changed elsewhere shows here too, except where somebody is writing: there it has not been seen.
  useEffect(() => {
    for (const [name, value] of Object.entries(toValues(user)) as [keyof Values, string][])
      if (!form.getFieldState(name).isDirty) form.resetField(name, { defaultValue: value })
  }, [form, user])
  useKeptForm(form, 'User information')
  const { control } = form
  return (
    <SettingsSection title="User information" text="Update your user details.">
      <form noValidate onSubmit={onSubmit}>
        {notice}
        <TextField control={control} name="full_name" label={labels.full_name} autoComplete="name" />
        <TextField control={control} name="email" label={labels.email} type="email" autoComplete="email" required />
        <ProfileButtons
          form={form}
          pending={pending}
          blocked={notice !== null}
          onCancel={() => form.reset(toValues(user))}
        />
      </form>
    </SettingsSection>
  )
}

/** SPEC 5: Save needs a change and an address that is not empty; Cancel takes back what was changed. */
function ProfileButtons(props: {
  form: ReturnType<typeof useZodForm<Values, unknown>>
  pending: boolean
  /** A notice has to be answered first. */
  blocked: boolean
  onCancel: () => void
}) {
  const { form, pending, blocked, onCancel } = props
  const { isDirty } = useFormState({ control: form.control })
  const address = useWatch({ control: form.control, name: 'email' })
  return (
    <div className="mt-2 flex gap-2">
      <Button type="submit" disabled={blocked || !isDirty || address.trim() === ''} pending={pending}>
        Save
      </Button>
      <Button variant="secondary" disabled={blocked || !isDirty || pending} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
