import { useMutation } from '@tanstack/react-query'
import { itemsUpdateItemMutation } from '@/client/@tanstack/react-query.gen'
import type { ItemPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { ItemFields, itemSchema, toItemBody } from './item-form'

const schema = itemSchema('Title is required')

export function EditItemDialog({ item, ...dialog }: DialogControl & { item: ItemPublic }) {
  const form = useZodForm(schema, { title: item.title, description: item.description ?? '' })
  const update = useMutation({
    ...itemsUpdateItemMutation(),
    meta: { success: 'Item updated successfully.', invalidates: ['items'] },
    onSuccess: dialog.onClose,
  })
  const submit = useSubmit(form, update, (values) => ({ path: { id: item.id }, body: toItemBody(values) }))
  return (
    <FormDialog
      {...dialog}
      title="Edit Item"
      description="Change the details of this item."
      control={form.control}
      schema={schema}
      saveRule="changed"
      pending={update.isPending}
      onSubmit={submit}
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}
