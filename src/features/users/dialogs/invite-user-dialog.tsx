import { type Control, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersInviteUser } from '@/client/sdk.gen'
import { CheckboxField } from '@/components/form/checkbox-field'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/text-field'
import { useCreate } from '@/components/form/use-create'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { toBody } from '@/lib/to-body'
import { email, fullName } from '@/lib/validation/rules'
import { useInvitation } from './invitation-link'
import { userLabels } from './user-form'

const schema = z.object({ email: email(), full_name: fullName(), is_superuser: z.boolean() })

export function InviteUserDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, { email: '', full_name: '', is_superuser: false })
  const { result, onInvited } = useInvitation({ onDone, ...control })
  const invite = useCreate(form, {
    create: async (values) => (await usersInviteUser({ body: toBody(values, { nullable: ['full_name'] }) })).data,
    meta: { invalidates: ['users', 'audit'] },
    onCreated: onInvited,
  })
  return (
    <FormDialog
      {...control}
      {...invite}
      title="Invite User"
      description="They get a link with which they choose their password."
      form={form}
      schema={schema}
      saveRule="valid"
      saveLabel="Send Invitation"
      result={result}
    >
      <TextField
        control={form.control}
        name="email"
        label={userLabels.email}
        type="email"
        autoComplete="off"
        required
        footnote={<OneAtATime control={form.control} />}
      />
      <TextField control={form.control} name="full_name" label={userLabels.full_name} autoComplete="off" />
      <CheckboxField control={form.control} name="is_superuser" label={userLabels.is_superuser} />
    </FormDialog>
  )
}

/** Says while typing why Send Invitation is disabled. */
function OneAtATime({ control }: { control: Control<z.infer<typeof schema>> }) {
  const typed = useWatch({ control, name: 'email' })
  return typed.split('@').length > 2 && <p>Invite one person at a time.</p>
}
