import { ItemsBulkSchema } from '@/client/schemas.gen'
import { itemsBulkItems } from '@/client/sdk.gen'
import type { ItemsBulk } from '@/client/types.gen'
import { BulkDialog, type BulkRows } from '@/components/dialog/bulk-dialog'
import type { PageDialogControl } from '@/components/use-dialog'

export type SelectedItems = BulkRows<NonNullable<ItemsBulk['filter']>>

/** Deletes the selected items. */
export function DeleteItemsDialog(props: PageDialogControl & SelectedItems) {
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
