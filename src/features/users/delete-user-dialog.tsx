import { useMutation } from '@tanstack/react-query'
import { usersDeleteUserMutation } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/confirm-dialog'
import type { DialogControl } from '@/components/ui/dialog'

interface DeleteUserDialogProps extends DialogControl {
  user: UserPublic
  onDeleted: () => void
}

export function DeleteUserDialog({ user, onDeleted, ...dialog }: DeleteUserDialogProps) {
  const remove = useMutation({
    ...usersDeleteUserMutation(),
    meta: {
      success: 'The user was deleted successfully',
      // A user's items go along.
      invalidates: ['users', 'items'],
      failure: { toast: 'An error occurred while deleting the user' },
    },
    onSuccess: onDeleted,
  })
  return (
    <ConfirmDialog
      {...dialog}
      title="Delete User"
      description={`All items associated with ${user.email} will also be permanently deleted. This action cannot be undone.`}
      action="Delete"
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ path: { user_id: user.id } })}
    />
  )
}
