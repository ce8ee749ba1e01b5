import { itemsCreateItem, itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { createOnce } from '@/data/api/create-once'
import { emptyItem, ItemFields, itemSchema, toItemBody } from './item-form'

const schema = itemSchema('Title is required.')

export function AddItemDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, emptyItem)
  const save = useSave(form, {
    send: (values, { attempt }) => {
      const body = toItemBody(values)
      return createOnce<typeof body, ItemPublic & typeof body>(attempt, body, {
        create: (headers) => itemsCreateItem({ body, headers }),
        update: ({ id }, headers) => itemsUpdateItem({ path: { id }, body, headers }),
      })
    },
    meta: { success: 'Item created successfully.', adds: 'items', invalidates: ['items'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Add Item"
      description="Fill in the details to add a new item."
      form={form}
      schema={schema}
      saveRule="valid"
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}
