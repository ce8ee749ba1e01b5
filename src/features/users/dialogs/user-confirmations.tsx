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
import { Confirm } from '@/components/dialog/confirm-dialog'
import { DeleteRow } from '@/components/dialog/delete-row'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { Needs } from '@/components/needs'
import type { PageDialogControl } from '@/components/page-dialogs'
import { UserText } from '@/components/ui/user-text'
import { NO_MAIL_SERVER, useHasMail } from '@/data/api/use-instance'
import { secondFactorOf, useHasApiTokens } from '@/data/api/ways-in'
import { toast } from '@/browser/toast'
import { countText, isolate } from '@/lib/text'
import { countRows, type ListedResource, resources } from '@/data/resources'
import { usersList } from '../users-list'
import { bulks, type Change, changes, type UserChange } from './bulk-users-dialog'
import { passwordReset, useInvitedPeople } from './invited-people'
import { EndTokens, nameAndAddress, powersAsSuperuser } from './user-form'

type UserDialogProps = PageDialogControl & { user: UserPublic }

export function DeleteUserDialog({ user, ...control }: UserDialogProps) {
  return (
    <DeleteRow
      {...control}
      list={usersList}
      row={user}
      subject={nameAndAddress(user)}
      description={
        <>
          <Needs capability="administration">
            {resources.map((resource) => (
              <Owned key={resource.tag} resource={resource} ownerId={user.id} />
            ))}
          </Needs>
          <span>{bulks.delete.consequenceOfOne}</span>
        </>
      }
      send={() => usersDeleteUser({ path: { user_id: user.id } })}
      invalidates={resources.map(({ tag }) => tag)}
    />
  )
}

export function ResetSecondFactorDialog({ user: { id, email }, ...control }: UserDialogProps) {
  return (
    <Confirm
      {...control}
      title="Reset Second Factor"
      description={
        <>
          The authenticator app, the recovery codes and all passkeys of <UserText>{email}</UserText> are removed, and
          all sessions end. After that, the password alone is enough to log in
          <EnrolmentNote userId={id} />. Make sure that the right person asked for this.
        </>
      }
      action="Reset Second Factor"
      send={() => usersResetSecondFactor({ path: { user_id: id } })}
      meta={{ success: 'The second factor was reset.', invalidates: ['users'] }}
    />
  )
}

export function ChangeUserDialog({ change, user, ...control }: UserDialogProps & { change: UserChange }) {
  const { title, consequence, body, done, variant }: Change = changes[change]
  const becomesSuperuser = change === 'activate' && user.is_superuser
  return (
    <Confirm
      {...control}
      title={title}
      subject={nameAndAddress(user)}
      description={becomesSuperuser ? `${consequence} ${powersAsSuperuser}` : consequence}
      action={title}
      variant={variant}
      send={async () => (await usersUpdateUser({ path: { user_id: user.id }, body })).data}
      meta={{ success: `${isolate(user.email)} ${done[0]}`, stores: 'users', invalidates: ['users'] }}
    />
  )
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

export function EndSessionsDialog({ user: { id, email }, ...control }: UserDialogProps) {
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

export function ResendInvitationDialog({ user, ...control }: UserDialogProps) {
  const { result, onInvited } = useInvitedPeople(control)
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

export function SendPasswordResetDialog({ user, ...control }: UserDialogProps) {
  const hasMail = useHasMail()
  const { result, onInvited } = useInvitedPeople(control, { words: passwordReset })
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
        return control.onDone()
      }}
      result={result}
    />
  )
}
