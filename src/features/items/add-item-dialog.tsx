import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { itemsCreateItemMutation } from '@/client/@tanstack/react-query.gen'
import { FormDialog } from '@/components/form/form-dialog'
import { useSubmit } from '@/components/form/use-submit'
import { ItemFields, itemSchema } from './item-form'

const schema = itemSchema('Title is required.')
const empty = { title: '', description: '' }

export function AddItemDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const form = useForm({ resolver: zodResolver(schema), mode: 'onBlur', criteriaMode: 'all', defaultValues: empty })
  const create = useMutation({
    ...itemsCreateItemMutation(),
    meta: { success: 'Item created successfully.', invalidates: ['items'] },
    onSuccess: close,
  })
  const submit = useSubmit(form, create, ({ title, description }) => ({
    body: { title, description: description === '' ? null : description },
  }))

  function close() {
    form.reset()
    onClose()
  }

  return (
    <FormDialog
      open={open}
      title="Add Item"
      description="Fill in the details to add a new item."
      control={form.control}
      schema={schema}
      saveRule="valid"
      pending={create.isPending}
      onSubmit={submit}
      onClose={close}
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}
