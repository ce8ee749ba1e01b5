import { ReadResource } from '@/components/dialog/read-resource'
import type { PageDialogProps } from '@/components/use-dialog'
import { AddItemDialog } from './add-item-dialog'
import { DeleteItemDialog } from './delete-item-dialog'
import { DeleteItemsDialog, type SelectedItems } from './delete-items-dialog'
import { EditItemDialog } from './edit-item-dialog'
import { itemResource } from '../items-queries'
import type { ItemDialog } from '../items-search'

/** The dialogs of the items page, loaded together. */
export function Dialogs({ dialog, control, selected }: PageDialogProps<ItemDialog> & { selected: SelectedItems }) {
  if (dialog.kind === 'add') return <AddItemDialog {...control} />
  if (dialog.kind === 'delete_selected') return <DeleteItemsDialog {...control} {...selected} />
  const read = {
    id: dialog.id,
    options: itemResource(dialog.id),
    subject: 'This item',
    onClose: control.onClose,
  }
  const onDeleted = () => {
    selected.selection.remove([dialog.id])
    return control.onDone()
  }
  return dialog.kind === 'edit' ? (
    <ReadResource {...read}>{(item) => <EditItemDialog {...control} item={item} />}</ReadResource>
  ) : (
    <ReadResource {...read} rows="items">
      {(item) => <DeleteItemDialog {...control} onDone={onDeleted} item={item} />}
    </ReadResource>
  )
}
