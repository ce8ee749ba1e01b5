import { Confirm, Refusal } from '@/components/dialog/confirm-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import { useSelectionOf } from '@/components/list/selection'
import type { ListDialogProps } from '@/components/list/list-page'
import type { PageDialogProps } from '@/components/page-dialogs'
import { useCurrentUser } from '@/data/api/current-user'
import { BulkUsersDialog, isBulkAction } from './bulk-users-dialog'
import { ImportUsersDialog } from './import-users-dialog'
import { InviteUserDialog } from './invite-user-dialog'
import { ownAccount } from '../user-actions'
import {
  changeOf,
  confirmations,
  EndSessionsDialog,
  ResendInvitationDialog,
  SendPasswordResetDialog,
} from './user-confirmations'
import { AddUserDialog, EditUserDialog } from './user-form'
import { type UserDialog, usersList } from '../users-list'

type UsersDialogs = ListDialogProps<typeof usersList>

interface UserDialogsProps extends PageDialogProps<UserDialog | UsersDialogs['dialog']> {
  /** Set only on the page of the list. */
  selected?: UsersDialogs['selected']
}

export function UserDialogs({ dialog, control, selected }: UserDialogsProps) {
  const selection = useSelectionOf('users')
  const ownId = useCurrentUser().id
  if (dialog.kind === 'add') return <AddUserDialog {...control} />
  if (dialog.kind === 'invite') return <InviteUserDialog {...control} />
  if (dialog.kind === 'import') return <ImportUsersDialog {...control} />
  const { kind, id } = dialog
  if (kind === 'bulk') {
    if (!isBulkAction(id)) return <Refusal control={control} />
    return selected && <BulkUsersDialog action={id} {...selected} {...control} />
  }
  if (id === ownId) return <Refusal control={control} reason={ownAccount} />
  const onDone = () => {
    if (kind === 'delete') selection.remove([id])
    return control.onDone()
  }
  return (
    <ReadResource options={usersList.row(id)} isEdited={kind === 'edit'} subject="This user" control={control}>
      {(user) => {
        if (kind === 'edit') return <EditUserDialog {...control} user={user} />
        if (kind === 'end_sessions') return <EndSessionsDialog {...control} user={user} />
        if (kind === 'resend') return <ResendInvitationDialog {...control} user={user} />
        if (kind === 'reset_password') return <SendPasswordResetDialog {...control} user={user} />
        const isChange = kind !== 'delete' && kind !== 'reset_second_factor'
        const question = isChange ? changeOf(kind, user) : confirmations[kind](user)
        return <Confirm {...control} {...question} onDone={onDone} />
      }}
    </ReadResource>
  )
}
