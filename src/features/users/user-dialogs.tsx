import { useEffect, useEffectEvent } from 'react'
import type { ListDialogsProps } from '@/components/list-page'
import { ReadResource } from '@/components/read-resource'
import { useCurrentUser } from '@/lib/api/current-user'
import { toast } from '@/lib/toast'
import { toId } from '@/lib/list-search'
import { AddUserDialog } from './add-user-dialog'
import { ChangeUsersDialog, isUserChange } from './change-users-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'
import { EndSessionsDialog } from './end-sessions-dialog'
import { InviteUserDialog } from './invite-user-dialog'
import { ownAccount } from './own-account'
import { ResendInvitationDialog } from './resend-invitation-dialog'
import { userResource } from './users-query'

const rowDialogs = {
  edit: EditUserDialog,
  delete: DeleteUserDialog,
  resend: ResendInvitationDialog,
  end_sessions: EndSessionsDialog,
}

/** The number of rows of a page. */
const MAX_IDS = 50

/** The dialogs about users, loaded together. */
export function UserDialogs({ dialog, control }: ListDialogsProps) {
  const ownId = useCurrentUser().id
  if (!('id' in dialog))
    return dialog.kind === 'add' ? <AddUserDialog {...control} /> : <InviteUserDialog {...control} />
  const { kind, id } = dialog
  if (id === ownId) return <OwnAccount onClose={control.onClose} />
  if (isUserChange(kind)) {
    const ids = id.split(',', MAX_IDS).filter((one) => one !== ownId && toId(one) !== undefined)
    if (ids.length > 1) return <ChangeUsersDialog {...control} kind={kind} ids={ids} />
  }
  // Only the edit form needs more than the row of the list.
  const rows = kind === 'edit' ? {} : ({ rows: 'users' } as const)
  return (
    <ReadResource id={id} options={userResource(id)} {...rows} subject="This user" onClose={control.onClose}>
      {(user) => {
        if (isUserChange(kind)) return <ChangeUsersDialog {...control} kind={kind} ids={[user.id]} email={user.email} />
        const RowDialog = rowDialogs[kind]
        return <RowDialog {...control} user={user} />
      }}
    </ReadResource>
  )
}

/** The row's menu is disabled, but a URL may open the dialog (SPEC 6). */
function OwnAccount({ onClose }: { onClose: () => void }): null {
  const close = useEffectEvent(() => {
    toast.error(ownAccount)
    onClose()
  })
  useEffect(() => close(), [])
  return null
}
