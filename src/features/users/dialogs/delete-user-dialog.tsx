import { useQuery } from '@tanstack/react-query'
import { usersDeleteUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { useDeletion } from '@/components/form/use-confirmed'
import type { PageDialogControl } from '@/components/use-dialog'
import { hasExtensions } from '@/lib/api/current-user'
import { countText } from '@/lib/range-text'
import { resources } from '@/lib/resources'
import { ownedCount, userResource } from '../users-queries'

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
      description={
        <>
          {hasExtensions(user) &&
            resources.map((resource) => <Owned key={resource.tag} resource={resource} ownerId={user.id} />)}
          <span>
            This user will be permanently deleted. All items associated with this user will also be permanently deleted.
            This action cannot be undone.
          </span>
        </>
      }
    />
  )
}

function Owned({ resource, ownerId }: { resource: (typeof resources)[number]; ownerId: string }) {
  const { data: count = 0 } = useQuery(ownedCount(resource, ownerId))
  return (
    count > 0 && (
      <strong className="block text-foreground">{`and ${countText(count, resource.noun, resource.tag)}`}</strong>
    )
  )
}
