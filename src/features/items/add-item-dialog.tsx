import { useMutation } from '@tanstack/react-query'
import { itemsCreateItem, itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemCreate } from '@/client/types.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { createOnce } from '@/lib/api/create-once'
import type { Creation } from '@/lib/api/creation'
import { ItemFields, itemSchema, toItemBody } from './item-form'

const schema = itemSchema('Title is required.')

interface AddItemDialogProps extends DialogControl {
  /** Of this opening. */
  creation: Creation<ItemCreate>
  onAdded: () => void
}

export function AddItemDialog({ creation, onAdded, ...dialog }: AddItemDialogProps) {
  const form = useZodForm(schema, { title: '', description: '' })
  const create = useMutation({
    mutationFn: (body: ItemCreate) =>
      createOnce(creation, body, {
        create: (headers) => itemsCreateItem({ body, headers, throwOnError: true }),
        update: ({ id }, headers) => itemsUpdateItem({ path: { id }, body, headers, throwOnError: true }),
      }),
    meta: { success: 'Item created successfully.', invalidates: ['items'] },
    onSuccess: onAdded,
  })
  const submit = useSubmit(form, create, toItemBody)
  return (
    <FormDialog
      {...dialog}
      title="Add Item"
      description="Fill in the details to add a new item."
      form={form}
      schema={schema}
      saveRule="valid"
      pending={create.isPending}
      onSubmit={submit}
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}
