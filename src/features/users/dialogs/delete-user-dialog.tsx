import { usersDeleteUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { useDeletion } from '@/components/form/use-confirmed'
import type { PageDialogControl } from '@/components/use-dialog'
import { resources } from '@/lib/resources'
import { userResource } from '../users-queries'

export function DeleteUserDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const remove = useDeletion({
    send: () => usersDeleteUser({ path: { user_id: user.id } }),
    resource: userResource(user.id),
    meta: {
      success: 'The user was deleted successfully',
      // The server also deletes all rows of the user.
      invalidates: ['users', ...resources.map(({ tag }) => tag)],
      failure: { toast: 'An error occurred while deleting the user' },
    },
    onDone,
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
