import { useMutation } from '@tanstack/react-query'
import { itemsCreateItemMutation } from '@/client/@tanstack/react-query.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { useZodForm } from '@/components/form/use-zod-form'
import type { DialogControl } from '@/components/ui/dialog'
import { ItemFields, itemSchema, toItemBody } from './item-form'

const schema = itemSchema('Title is required.')

export function AddItemDialog({ onAdded, ...dialog }: DialogControl & { onAdded: () => void }) {
  const form = useZodForm(schema, { title: '', description: '' })
  const create = useMutation({
    ...itemsCreateItemMutation(),
    meta: { success: 'Item created successfully.', invalidates: ['items'] },
    onSuccess: onAdded,
  })
  const submit = useSubmit(form, create, (values) => ({ body: toItemBody(values) }))
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
