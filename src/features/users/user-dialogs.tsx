import type { UserPublic } from '@/client/types.gen'
import type { DialogControl } from '@/components/ui/dialog'
import { AddUserDialog } from './add-user-dialog'
import { DeleteUserDialog } from './delete-user-dialog'
import { EditUserDialog } from './edit-user-dialog'

export type UsersDialog = { kind: 'add' } | { kind: 'edit' | 'delete'; user: UserPublic }

interface UserDialogsProps {
  content: UsersDialog
  control: DialogControl
  /** Closes where what opened the dialog goes. */
  closeForGood: () => void
}

/** The dialogs of the users page, as one piece of code that is loaded when the first of them is near. */
export function UserDialogs({ content, control, closeForGood }: UserDialogsProps) {
  switch (content.kind) {
    case 'add':
      return <AddUserDialog {...control} />
    case 'edit':
      return <EditUserDialog {...control} user={content.user} />
    case 'delete':
      return <DeleteUserDialog {...control} user={content.user} onDeleted={closeForGood} />
  }
}
