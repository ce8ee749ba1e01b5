import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { MAX_NAMED } from '@/components/dialog/confirm-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import type { PageDialogProps } from '@/components/use-dialog'
import { useCurrentUser } from '@/lib/api/current-user'
import { toast } from '@/lib/toast'
import { toId } from '@/lib/list-search'
import { AddUserDialog } from './add-user-dialog'
import { ChangeUsersDialog, isRoleChange, isUserChange } from './change-users-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'
import { EndSessionsDialog } from './end-sessions-dialog'
import { InviteUserDialog } from './invite-user-dialog'
import { ownAccount } from '../own-account'
import { ReadUsers } from './read-users'
import { ResendInvitationDialog } from './resend-invitation-dialog'
import { userResource } from '../users-queries'
import type { UserDialog, UsersDialog } from '../users-search'

const rowDialogs = {
  edit: EditUserDialog,
  delete: DeleteUserDialog,
  resend: ResendInvitationDialog,
  end_sessions: EndSessionsDialog,
}

/** The dialogs about users, loaded together. */
export function Dialogs({ dialog, control }: PageDialogProps<UserDialog | UsersDialog>) {
  const ownId = useCurrentUser().id
  const router = useRouter()
  const [isFromLink] = useState(() => !router.state.location.state.isDialogEntry)
  if (dialog.kind === 'add') return <AddUserDialog {...control} />
  if (dialog.kind === 'invite') return <InviteUserDialog {...control} />
  const { kind, id } = dialog
  if (id === ownId) return <Refusal reason={ownAccount} onClose={control.onClose} />
  if (isUserChange(kind)) {
    const ids = [...new Set(id.split(','))].filter((one) => one !== ownId && toId(one) !== undefined)
    if (ids.length > 1 && isRoleChange(kind))
      return <Refusal reason="Roles are changed for one user at a time." onClose={control.onClose} />
    // The person has not chosen them, so the dialog must name them all.
    if (ids.length > MAX_NAMED && isFromLink)
      return <Refusal reason={`A link is for at most ${MAX_NAMED} users.`} onClose={control.onClose} />
    if (ids.length > 1)
      return (
        <ReadUsers ids={ids} onClose={control.onClose}>
          {(users) => <ChangeUsersDialog {...control} kind={kind} users={users} />}
        </ReadUsers>
      )
  }
  // Only the edit form needs more than the row of the list.
  const rows = kind === 'edit' ? {} : ({ rows: 'users' } as const)
  return (
    <ReadResource id={id} options={userResource(id)} {...rows} subject="This user" onClose={control.onClose}>
      {(user) => {
        if (isUserChange(kind)) return <ChangeUsersDialog {...control} kind={kind} users={[user]} />
        const RowDialog = rowDialogs[kind]
        return <RowDialog {...control} user={user} />
      }}
    </ReadResource>
  )
}

/** Closes a dialog that the page does not offer, but a URL may open: such as for the own row. */
function Refusal({ reason, onClose }: { reason: string; onClose: () => void }): null {
  const close = useEffectEvent(() => {
    toast.error(reason)
    onClose()
  })
  useEffect(() => close(), [])
  return null
}
