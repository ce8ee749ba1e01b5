import { useMutation } from '@tanstack/react-query'
import { itemsDeleteItemMutation } from '@/client/@tanstack/react-query.gen'
import type { ItemPublic } from '@/client/types.gen'
import { ConfirmDialog } from '@/components/confirm-dialog'
import type { DialogControl } from '@/components/ui/dialog'

interface DeleteItemDialogProps extends DialogControl {
  item: ItemPublic
  onDeleted: () => void
}

export function DeleteItemDialog({ item, onDeleted, ...dialog }: DeleteItemDialogProps) {
  const remove = useMutation({
    ...itemsDeleteItemMutation(),
    meta: {
      success: 'The item was deleted successfully',
      invalidates: ['items'],
      failure: { toast: 'An error occurred while deleting the item' },
    },
    onSuccess: onDeleted,
  })
  return (
    <ConfirmDialog
      {...dialog}
      title="Delete Item"
      description={`“${item.title}” will be permanently deleted. This action cannot be undone.`}
      action="Delete"
      pending={remove.isPending}
      onConfirm={() => remove.mutate({ path: { id: item.id } })}
    />
  )
}
