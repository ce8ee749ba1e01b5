import { useMutation } from '@tanstack/react-query'
import { usersUpdateUserMutation } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { useIsNarrow } from '@/lib/use-media'
import { editedUserSchema, UserFields } from './user-form'

export function EditUserDialog({ user, ...dialog }: DialogControl & { user: UserPublic }) {
  const { id, email, full_name, is_superuser, is_active } = user
  const form = useZodForm(editedUserSchema, {
    email,
    full_name: full_name ?? '',
    password: '',
    confirm_password: '',
    is_superuser,
    is_active,
  })
  const update = useMutation({
    ...usersUpdateUserMutation(),
    meta: { success: 'User updated successfully.', invalidates: ['users'] },
    onSuccess: dialog.onClose,
  })
  const submit = useSubmit(form, update, ({ confirm_password, password, ...changed }) => ({
    path: { user_id: id },
    body: { ...changed, full_name: changed.full_name || null, ...(password !== '' && { password }) },
  }))
  return (
    <FormDialog
      {...dialog}
      title="Edit User"
      description="Update the user details below. An empty password stays as it is."
      control={form.control}
      schema={editedUserSchema}
      saveRule={useIsNarrow() ? 'valid' : 'valid and changed'}
      pending={update.isPending}
      onSubmit={submit}
    >
      <UserFields control={form.control} trigger={form.trigger} passwordRequired={false} />
    </FormDialog>
  )
}
