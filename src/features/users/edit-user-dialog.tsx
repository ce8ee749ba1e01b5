import { usersReadUserById, usersUpdateUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useGuardedSave } from '@/components/form/use-guarded-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { useIsNarrow } from '@/lib/use-media'
import { editedUserSchema, toUserValues, UserFields, userLabels } from './user-form'

export function EditUserDialog({ user, ...dialog }: DialogControl & { user: UserPublic }) {
  const form = useZodForm(editedUserSchema, toUserValues(user))
  const path = { user_id: user.id }
  const save = useGuardedSave(form, {
    subject: 'This user',
    labels: userLabels,
    toValues: toUserValues,
    read: () => usersReadUserById({ path, throwOnError: true }),
    write: ({ confirm_password, password, ...changed }, headers) => {
      const body = { ...changed, full_name: changed.full_name || null, ...(password !== '' && { password }) }
      return usersUpdateUser({ path, body, headers, throwOnError: true })
    },
    meta: { success: 'User updated successfully.', invalidates: ['users'] },
    onSaved: dialog.onClose,
  })
  return (
    <FormDialog
      {...dialog}
      {...save}
      title="Edit User"
      description="Update the user details below. An empty password stays as it is."
      form={form}
      schema={editedUserSchema}
      saveRule={useIsNarrow() ? 'valid' : 'valid and changed'}
    >
      <UserFields control={form.control} trigger={form.trigger} passwordRequired={false} />
    </FormDialog>
  )
}
