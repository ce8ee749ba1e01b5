import type { ItemCreate, ItemPublic } from '@/client/types.gen'
import type { DialogControl } from '@/components/ui/dialog'
import type { Creation } from '@/lib/api/creation'
import { AddItemDialog } from './add-item-dialog'
import { DeleteItemDialog } from './delete-item-dialog'
import { EditItemDialog } from './edit-item-dialog'

export type ItemsDialog =
  | { kind: 'add'; isFirst: boolean; creation: Creation<ItemCreate> }
  | { kind: 'edit' | 'delete'; item: ItemPublic }

interface ItemDialogsProps {
  content: ItemsDialog
  control: DialogControl
  /** Closes where what opened the dialog goes. */
  closeForGood: () => void
}

/** The dialogs of the items page, as one piece of code that is loaded when the first of them is near. */
export function ItemDialogs({ content, control, closeForGood }: ItemDialogsProps) {
  switch (content.kind) {
    case 'add':
      return (
        <AddItemDialog
          {...control}
          creation={content.creation}
          // The empty list goes, and its button with it.
          onAdded={content.isFirst ? closeForGood : control.onClose}
        />
      )
    case 'edit':
      return <EditItemDialog {...control} item={content.item} />
    case 'delete':
      return <DeleteItemDialog {...control} item={content.item} onDeleted={closeForGood} />
  }
}
