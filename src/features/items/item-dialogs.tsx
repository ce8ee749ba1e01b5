import type { ListDialogsProps } from '@/components/list/list-page'
import { ReadResource } from '@/components/dialog/read-resource'
import { AddItemDialog } from './add-item-dialog'
import { DeleteItemDialog } from './delete-item-dialog'
import { EditItemDialog } from './edit-item-dialog'
import { itemResource } from './items-query'

/** The dialogs of the items page, loaded together. */
export function Dialogs({ dialog, control }: ListDialogsProps) {
  if (!('id' in dialog)) return <AddItemDialog {...control} />
  const read = {
    id: dialog.id,
    options: itemResource(dialog.id),
    subject: 'This item',
    onClose: control.onClose,
  }
  return dialog.kind === 'edit' ? (
    <ReadResource {...read}>{(item) => <EditItemDialog {...control} item={item} />}</ReadResource>
  ) : (
    <ReadResource {...read} rows="items">
      {(item) => <DeleteItemDialog {...control} item={item} />}
    </ReadResource>
  )
}
