import { useMutation } from '@tanstack/react-query'
import { usersCreateUserMutation } from '@/client/@tanstack/react-query.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { newUserSchema, UserFields } from './user-form'

const empty = { email: '', full_name: '', password: '', confirm_password: '', is_superuser: false, is_active: false }

export function AddUserDialog(dialog: DialogControl) {
  const form = useZodForm(newUserSchema, empty)
  const create = useMutation({
    ...usersCreateUserMutation(),
    meta: { success: 'User created successfully.', invalidates: ['users'] },
    onSuccess: dialog.onClose,
  })
  const submit = useSubmit(form, create, ({ confirm_password, full_name, ...user }) => ({
    body: { ...user, full_name: full_name || null },
  }))
  return (
    <FormDialog
      {...dialog}
      title="Add User"
      description="Fill in the form below to add a new user to the system."
      control={form.control}
      schema={newUserSchema}
      saveRule="valid"
      pending={create.isPending}
      onSubmit={submit}
    >
      <UserFields control={form.control} trigger={form.trigger} passwordRequired />
    </FormDialog>
  )
}
