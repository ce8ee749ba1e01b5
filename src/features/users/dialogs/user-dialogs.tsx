import { Refusal } from '@/components/dialog/confirm-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import type { ListDialogProps } from '@/components/list/list-page'
import type { PageDialogProps } from '@/components/page-dialogs'
import { useCurrentUser } from '@/data/api/current-user'
import { BulkUsersDialog, isBulkAction, isChange } from './bulk-users-dialog'
import { ImportUsersDialog } from './import-users-dialog'
import { InviteUserDialog } from './invite-user-dialog'
import { ownAccount } from '../user-actions'
import {
  ChangeUserDialog,
  DeleteUserDialog,
  EndSessionsDialog,
  ResendInvitationDialog,
  ResetSecondFactorDialog,
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
  return (
    <ReadResource options={usersList.row(id)} isEdited={kind === 'edit'} subject="This user" control={control}>
      {(user) => {
        const given = { ...control, user }
        const dialogs = {
          edit: <EditUserDialog {...given} />,
          delete: <DeleteUserDialog {...given} />,
          resend: <ResendInvitationDialog {...given} />,
          reset_password: <SendPasswordResetDialog {...given} />,
          end_sessions: <EndSessionsDialog {...given} />,
          reset_second_factor: <ResetSecondFactorDialog {...given} />,
        }
        return isChange(kind) ? <ChangeUserDialog {...given} change={kind} /> : dialogs[kind]
      }}
    </ReadResource>
  )
}
