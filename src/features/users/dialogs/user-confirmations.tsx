import { useQuery } from '@tanstack/react-query'
import { usersDeleteUser, usersResetSecondFactor, usersUpdateUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import type { Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { Needs } from '@/components/needs'
import { UserText } from '@/components/ui/user-text'
import { secondFactorOf } from '@/data/api/ways-in'
import { isolate } from '@/lib/isolate'
import { countText } from '@/lib/range-text'
import { countRows, type ListedResource, resources } from '@/data/resources'
import { usersList } from '../users-list'

import { type Change, changes, type UserChange } from './bulk-users-dialog'
import { asSuperuser } from './superusers'
import { whoIs } from '../who-is'

export const confirmations = {
  activate: (user) => changeOf('activate', user),
  deactivate: (user) => changeOf('deactivate', user),
  make_superuser: (user) => changeOf('make_superuser', user),
  remove_superuser: (user) => changeOf('remove_superuser', user),
  delete: (user) => ({
    title: 'Delete User',
    sheet: 'from the right',
    subject: whoIs(user),
    description: (
      <>
        <Needs capability="administration">
          {resources.map((resource) => (
            <Owned key={resource.tag} resource={resource} ownerId={user.id} />
          ))}
        </Needs>
        <span>
          This user will be permanently deleted. All items associated with this user will also be permanently deleted.
          This action cannot be undone.
        </span>
      </>
    ),
    send: () => ignoreNotFound(usersDeleteUser({ path: { user_id: user.id } })),
    deletes: usersList.row(user.id),
    meta: {
      success: 'The user was deleted successfully',
      rows: { tag: 'users', ids: () => [user.id], fields: null },
      // The server also deletes all rows of the user.
      invalidates: ['users', ...resources.map(({ tag }) => tag)],
      failure: { toast: 'An error occurred while deleting the user' },
    },
  }),
  reset_second_factor: ({ id, email }) => ({
    title: 'Reset Second Factor',
    description: (
      <>
        The authenticator app, the recovery codes and all passkeys of <UserText>{email}</UserText> are removed, and all
        sessions end. After that, the password alone is enough to log in
        <EnrolmentNote userId={id} />. Make sure that the right person asked for this.
      </>
    ),
    action: 'Reset Second Factor',
    send: () => usersResetSecondFactor({ path: { user_id: id } }),
    meta: { success: 'The second factor was reset.', invalidates: ['users'] },
  }),
} satisfies Record<string, (user: UserPublic) => Confirmation>

function changeOf(kind: UserChange, user: UserPublic): Confirmation {
  const { id, email, is_superuser: isSuperuser } = user
  const { title, consequence, body, done, variant }: Change = changes[kind]
  return {
    title,
    subject: whoIs(user),
    description: kind === 'activate' && isSuperuser ? `${consequence} ${asSuperuser}` : consequence,
    action: title,
    ...(variant && { variant }),
    send: async () => (await usersUpdateUser({ path: { user_id: id }, body })).data,
    meta: { success: `${isolate(email)} ${done[0]}`, stores: 'users', invalidates: ['users'] },
  }
}

function Owned({ resource, ownerId }: { resource: ListedResource; ownerId: string }) {
  const { data: count = 0 } = useQuery(countRows(resource, ownerId))
  return (
    count > 0 && (
      <strong className="block text-foreground">{`and ${countText(count, resource.noun, resource.tag)}`}</strong>
    )
  )
}

function EnrolmentNote({ userId }: { userId: string }) {
  const { data } = useQuery(secondFactorOf(userId))
  return <span>{data?.required ? ', and to set up a new authenticator app, which this server asks for' : ''}</span>
}
