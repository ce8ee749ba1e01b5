import { useEffect, useEffectEvent } from 'react'
import { ReadResource } from '@/components/dialog/read-resource'
import type { RowSelection } from '@/components/list/row-selection'
import type { PageDialogProps } from '@/components/use-dialog'
import { useCurrentUser } from '@/lib/api/current-user'
import { toast } from '@/lib/toast'
import { AddUserDialog } from './add-user-dialog'
import { ChangeUserDialog, isUserChange } from './change-users-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'
import { EndSessionsDialog } from './end-sessions-dialog'
import { ImportUsersDialog } from './import-users-dialog'
import { InviteUserDialog } from './invite-user-dialog'
import { ownAccount } from '../own-account'
import { ResendInvitationDialog } from './resend-invitation-dialog'
import { ResetSecondFactorDialog } from './reset-second-factor-dialog'
import { userResource } from '../users-queries'
import type { UserDialog, UsersDialog } from '../users-search'

const rowDialogs = {
  edit: EditUserDialog,
  delete: DeleteUserDialog,
  resend: ResendInvitationDialog,
  end_sessions: EndSessionsDialog,
  reset_second_factor: ResetSecondFactorDialog,
}

interface DialogsProps extends PageDialogProps<UserDialog | UsersDialog> {
  /** Of the list, if the page has one. */
  selection?: RowSelection
}

/** The dialogs about users, loaded together. */
export { BulkUsersDialog } from './change-users-dialog'

export function Dialogs({ dialog, control, selection }: DialogsProps) {
  const ownId = useCurrentUser().id
  if (dialog.kind === 'add') return <AddUserDialog {...control} />
  if (dialog.kind === 'invite') return <InviteUserDialog {...control} />
  if (dialog.kind === 'import') return <ImportUsersDialog {...control} />
  const { kind, id } = dialog
  // The page of the list opens it.
  if (kind === 'bulk') return null
  if (id === ownId) return <Refusal reason={ownAccount} onClose={control.onClose} />
  const onDone = () => {
    if (kind === 'delete') selection?.remove([id])
    return control.onDone()
  }
  // Only the edit form needs more than the row of the list.
  const rows = kind === 'edit' ? {} : ({ rows: 'users' } as const)
  return (
    <ReadResource id={id} options={userResource(id)} {...rows} subject="This user" onClose={control.onClose}>
      {(user) => {
        if (isUserChange(kind)) return <ChangeUserDialog {...control} kind={kind} user={user} />
        const RowDialog = rowDialogs[kind]
        return <RowDialog {...control} onDone={onDone} user={user} />
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
