import { useEffect, useEffectEvent } from 'react'
import type { ListDialogsProps } from '@/components/list-page'
import { ReadResource } from '@/components/read-resource'
import { useCurrentUser } from '@/lib/api/current-user'
import { toast } from '@/lib/toast'
import { AddUserDialog } from './add-user-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'
import { userResource } from './users-query'

/** The dialogs of the users page, loaded together. */
export function UserDialogs({ dialog, control }: ListDialogsProps) {
  const ownId = useCurrentUser().id
  if (dialog.kind === 'add') return <AddUserDialog {...control} />
  if (dialog.id === ownId) return <OwnAccount onClose={control.onClose} />
  const read = {
    id: dialog.id,
    options: userResource(dialog.id),
    subject: 'This user',
    onClose: control.onClose,
  }
  return dialog.kind === 'edit' ? (
    <ReadResource {...read}>{(user) => <EditUserDialog {...control} user={user} />}</ReadResource>
  ) : (
    <ReadResource {...read} rows="users">
      {(user) => <DeleteUserDialog {...control} user={user} />}
    </ReadResource>
  )
}

/** The row's menu is disabled, but an address may name it (SPEC 6). */
function OwnAccount({ onClose }: { onClose: () => void }): null {
  const close = useEffectEvent(() => {
    toast.error('Your own account is changed in the settings.')
    onClose()
  })
  useEffect(() => close(), [])
  return null
}
