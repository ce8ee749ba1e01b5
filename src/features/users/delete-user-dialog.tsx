import { usersDeleteUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/confirm-dialog'
import { untilGone, useConfirmed } from '@/components/form/use-confirmed'
import type { AddressDialogControl } from '@/components/use-address-dialog'
import { resources } from '@/lib/resources'

export function DeleteUserDialog({ user, onDone, ...control }: AddressDialogControl & { user: UserPublic }) {
  const remove = useConfirmed({
    send: () => untilGone(usersDeleteUser({ path: { user_id: user.id } })),
    meta: {
      success: 'The user was deleted successfully',
      // The server also deletes all rows of the user.
      invalidates: ['users', ...resources.map(({ tag }) => tag)],
      failure: { toast: 'An error occurred while deleting the user' },
    },
    onSuccess: onDone,
  })
  return (
    <ConfirmDialog
      {...control}
      {...remove}
      title="Delete User"
      subject={user.email}
      description="This user will be permanently deleted. All items associated with this user will also be permanently deleted. This action cannot be undone."
    />
  )
}
