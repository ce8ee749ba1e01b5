import { itemsDeleteItem } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/dialog/confirm-dialog'
import { useDeletion } from '@/components/form/use-confirmed'
import type { PageDialogControl } from '@/components/use-dialog'
import { itemResource } from '../items-queries'

export function DeleteItemDialog({ item, onDone, ...control }: PageDialogControl & { item: ItemPublic }) {
  const remove = useDeletion({
    send: () => itemsDeleteItem({ path: { id: item.id } }),
    resource: itemResource(item.id),
    meta: {
      success: 'The item was deleted successfully',
      invalidates: ['items'],
      failure: { toast: 'An error occurred while deleting the item' },
    },
    onDone,
  })
  return (
    <ConfirmDialog
      {...control}
      {...remove}
      title="Delete Item"
      subject={item.title}
      description="This item will be permanently deleted. This action cannot be undone."
    />
  )
}
