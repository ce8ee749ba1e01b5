import { usersCreateUser } from '@/client/sdk.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { toBody } from '@/lib/to-body'
import { newUserSchema, UserFields } from './user-form'

const empty = { email: '', full_name: '', password: '', confirm_password: '', is_superuser: false, is_active: false }

export function AddUserDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(newUserSchema, empty)
  const save = useSave(form, {
    send: ({ confirm_password, ...user }) => usersCreateUser({ body: toBody(user, { nullable: ['full_name'] }) }),
    meta: { success: 'User created successfully.', invalidates: ['users'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Add User"
      description="Fill in the form below to add a new user to the system."
      form={form}
      schema={newUserSchema}
      saveRule="valid"
    >
      <UserFields control={form.control} passwordRequired />
    </FormDialog>
  )
}
