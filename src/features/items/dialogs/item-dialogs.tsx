import { ItemsBulkSchema } from '@/client/schemas.gen'
import { itemsBulkItems, itemsDeleteItem } from '@/client/sdk.gen'
import type { ItemsBulk } from '@/client/types.gen'
import { BulkDialog, type BulkRows } from '@/components/dialog/bulk-dialog'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import { ignoreNotFound } from '@/components/form/use-confirm'
import type { PageDialogControl, PageDialogProps } from '@/components/use-dialog'
import { AddItemDialog } from './add-item-dialog'
import { EditItemDialog } from './edit-item-dialog'
import { itemResource } from '../items-queries'
import type { ItemDialog } from '../items-search'

/** The dialogs of the items page, loaded together. */
export function ItemDialogs({ dialog, control, selected }: PageDialogProps<ItemDialog> & { selected: SelectedItems }) {
  if (dialog.kind === 'add') return <AddItemDialog {...control} />
  if (dialog.kind === 'delete_selected') return <DeleteItemsDialog {...control} {...selected} />
  const read = {
    options: itemResource(dialog.id),
    subject: 'This item',
    control,
  }
  const onDeleted = () => {
    selected.selection.remove([dialog.id])
    return control.onDone()
  }
  return dialog.kind === 'edit' ? (
    <ReadResource {...read} isEdited>
      {(item) => <EditItemDialog {...control} item={item} />}
    </ReadResource>
  ) : (
    <ReadResource {...read}>
      {(item) => (
        <Confirm
          {...control}
          title="Delete Item"
          subject={item.title}
          description="This item will be permanently deleted. This action cannot be undone."
          send={() => ignoreNotFound(itemsDeleteItem({ path: { id: item.id } }))}
          deletes={read.options}
          meta={{
            success: 'The item was deleted successfully',
            rows: { tag: 'items', ids: () => [item.id], fields: null },
            invalidates: ['items'],
            failure: { toast: 'An error occurred while deleting the item' },
          }}
          onDone={onDeleted}
        />
      )}
    </ReadResource>
  )
}

type SelectedItems = BulkRows<NonNullable<ItemsBulk['filter']>>

/** Deletes the selected items. */
function DeleteItemsDialog(props: PageDialogControl & SelectedItems) {
  return (
    <BulkDialog
      {...props}
      title="Delete"
      isDeletion
      consequence="They will be permanently deleted. This action cannot be undone."
      consequenceOfOne="This item will be permanently deleted. This action cannot be undone."
      schema={ItemsBulkSchema}
      send={(target) => itemsBulkItems({ body: { action: 'delete', ...target } })}
      done={['was deleted.', 'were deleted.']}
      invalidates={['items']}
    />
  )
}
