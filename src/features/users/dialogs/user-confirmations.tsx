import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  usersDeleteUser,
  usersEndSessions,
  usersResendInvitation,
  usersResetSecondFactor,
  usersSendPasswordReset,
  usersUpdateUser,
} from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { Confirm, type Confirmation } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { Needs } from '@/components/needs'
import type { PageDialogControl } from '@/components/page-dialogs'
import { UserText } from '@/components/ui/user-text'
import { NO_MAIL_SERVER, useHasMail } from '@/data/api/use-instance'
import { secondFactorOf, useHasApiTokens } from '@/data/api/ways-in'
import { toast } from '@/browser/toast'
import { isolate } from '@/lib/isolate'
import { countText } from '@/lib/range-text'
import { countRows, type ListedResource, resources } from '@/data/resources'
import { usersList } from '../users-list'
import { bulks, type Change, changes, type UserChange } from './bulk-users-dialog'
import { EndTokens } from './end-tokens'
import { passwordReset, useInvitedPeople } from './invited-people'
import { powersAsSuperuser } from './superusers'
import { nameAndAddress } from '../name-and-address'

export const confirmations = {
  delete: (user) => ({
    title: 'Delete User',
    sheet: 'from the right',
    subject: nameAndAddress(user),
    description: (
      <>
        <Needs capability="administration">
          {resources.map((resource) => (
            <Owned key={resource.tag} resource={resource} ownerId={user.id} />
          ))}
        </Needs>
        <span>{bulks.delete.consequenceOfOne}</span>
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

export function changeOf(kind: UserChange, user: UserPublic): Confirmation {
  const { id, email, is_superuser: isSuperuser } = user
  const { title, consequence, body, done, variant }: Change = changes[kind]
  return {
    title,
    subject: nameAndAddress(user),
    description: kind === 'activate' && isSuperuser ? `${consequence} ${powersAsSuperuser}` : consequence,
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
      <strong className="mb-2 block font-semibold text-foreground">{`and ${countText(count, resource.noun, resource.tag)}`}</strong>
    )
  )
}

function EnrolmentNote({ userId }: { userId: string }) {
  const { data } = useQuery(secondFactorOf(userId))
  return <span>{data?.required ? ', and to set up a new authenticator app, which this server asks for' : ''}</span>
}

type ConfirmProps = PageDialogControl & { user: UserPublic }

export function EndSessionsDialog({ user: { id, email }, ...control }: ConfirmProps) {
  const hasTokens = useHasApiTokens(id)
  const [endTokens, setEndTokens] = useState(false)
  return (
    <Confirm
      {...control}
      title="End All Sessions"
      description={
        <>
          <UserText>{email}</UserText> is logged out everywhere and has to log in again. What they have not saved may be
          lost.
        </>
      }
      choice={hasTokens && <EndTokens checked={endTokens} onCheck={setEndTokens} />}
      action="End All Sessions"
      send={() =>
        ignoreNotFound(usersEndSessions({ path: { user_id: id }, ...(endTokens && { body: { end_tokens: true } }) }))
      }
      meta={{ success: 'All sessions were ended.', invalidates: ['users'] }}
    />
  )
}

export function ResendInvitationDialog({ user, onDone, ...control }: ConfirmProps) {
  const { result, onInvited } = useInvitedPeople({ onDone, ...control })
  const note = useHasMail() ? '' : ` ${NO_MAIL_SERVER} You get the link, and give it to them yourself.`
  return (
    <Confirm
      {...control}
      title="Resend Invitation"
      description={
        <>
          <UserText>{user.email}</UserText> <span>{`gets a new link. The one before it stops working.${note}`}</span>{' '}
          {user.is_superuser && powersAsSuperuser}
        </>
      }
      action="Send Invitation"
      variant="primary"
      send={async () => (await usersResendInvitation({ path: { user_id: user.id } })).data}
      meta={{ invalidates: ['users'], changesMore: true }}
      onDone={({ link }) => onInvited([{ ...user, link }])}
      result={result}
    />
  )
}

export function SendPasswordResetDialog({ user, onDone, ...control }: ConfirmProps) {
  const hasMail = useHasMail()
  const { result, onInvited } = useInvitedPeople({ onDone, ...control }, { words: passwordReset })
  const sends = hasMail
    ? 'A link to choose a new password is sent to this address.'
    : `${NO_MAIL_SERVER} You get a link to choose a new password, and give it to this person yourself.`
  return (
    <Confirm
      {...control}
      title="Send Password Reset"
      subject={nameAndAddress(user)}
      description={`${sends} The current password works until the link is used.`}
      action={hasMail ? 'Send Password Reset' : 'Get Link'}
      variant="primary"
      send={async () => (await usersSendPasswordReset({ path: { user_id: user.id } })).data}
      meta={{ invalidates: [] }}
      onDone={({ message, link }) => {
        if (typeof link === 'string') return onInvited([{ ...user, link }])
        toast.success(`${message}.`)
        return onDone()
      }}
      result={result}
    />
  )
}
