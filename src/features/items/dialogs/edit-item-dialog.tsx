import { itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { LinkedRows } from '@/components/linked-rows'
import { OwnerNote } from '@/components/owner-note'
import { useSave } from '@/components/form/use-save'
import { useZodFormOf } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { ItemFields, itemLabels, itemSchema, toItemBody, toItemValues } from './item-form'
import { itemResource } from '../items-queries'

const schema = itemSchema('Title is required')

export function EditItemDialog({ item, onDone, ...control }: PageDialogControl & { item: ItemPublic }) {
  const form = useZodFormOf(schema, toItemValues(item))
  const path = { id: item.id }
  const save = useSave(form, {
    edited: {
      subject: 'This item',
      labels: itemLabels,
      query: itemResource(item.id),
      server: item,
      toValues: toItemValues,
      always: ['title', 'description'],
    },
    send: (changes, { headers }) => itemsUpdateItem({ path, body: toItemBody(changes), headers }),
    meta: { success: 'Item updated successfully.', stores: 'items', invalidates: ['items'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Edit Item"
      initialField="title"
      description="Change the details of this item."
      form={form}
      schema={schema}
      saveRule="changed"
    >
      <ItemFields control={form.control} />
      <LinkedRows to="items" id={item.id} />
      <OwnerNote row={item} />
    </FormDialog>
  )
}
