import { itemsReadItem, itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useGuardedSave } from '@/components/form/use-guarded-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { ItemFields, itemLabels, itemSchema, toItemBody, toItemValues } from './item-form'

const schema = itemSchema('Title is required')

export function EditItemDialog({ item, ...dialog }: DialogControl & { item: ItemPublic }) {
  const form = useZodForm(schema, toItemValues(item))
  const path = { id: item.id }
  const save = useGuardedSave(form, {
    subject: 'This item',
    labels: itemLabels,
    toValues: toItemValues,
    read: () => itemsReadItem({ path, throwOnError: true }),
    write: (values, headers) => itemsUpdateItem({ path, body: toItemBody(values), headers, throwOnError: true }),
    meta: { success: 'Item updated successfully.', invalidates: ['items'] },
    onSaved: dialog.onClose,
  })
  return (
    <FormDialog
      {...dialog}
      {...save}
      title="Edit Item"
      description="Change the details of this item."
      form={form}
      schema={schema}
      saveRule="changed"
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}
