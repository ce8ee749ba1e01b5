import type { Control } from 'react-hook-form'
import * as z from 'zod/mini'
import { DescriptionSchema, ItemsBulkSchema, TitleSchema } from '@/client/schemas.gen'
import { itemsBulkItems, itemsCreateItem, itemsDeleteItem, itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemCreate, ItemPublic } from '@/client/types.gen'
import { DeleteSelected } from '@/components/dialog/bulk-dialog'
import { DeleteRow } from '@/components/dialog/delete-row'
import { FormDialog } from '@/components/dialog/form-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import { TextField } from '@/components/form/fields'
import { useEdit } from '@/components/form/use-edit'
import { useSave, useZodForm } from '@/components/form/use-form'
import { LinkedRows } from '@/components/linked-rows'
import type { ListDialogProps } from '@/components/list/list-page'
import { OwnerNote } from '@/components/owner-note'
import type { PageDialogControl } from '@/components/page-dialogs'
import { createOnce } from '@/data/api/save'
import { toBody } from '@/lib/to-body'
import { optionalText, requiredText } from '@/lib/validation/rules'
import { itemsList } from './items-list'

function schemaOf(missing: string) {
  return z.object({
    title: requiredText(missing, TitleSchema),
    description: optionalText(DescriptionSchema),
  } satisfies Record<keyof ItemCreate, z.ZodMiniType>)
}

type Values = z.infer<ReturnType<typeof schemaOf>>

const emptyValues = { title: '', description: '' }

const labels = { title: 'Title', description: 'Description' }

function toValues(row: ItemPublic): Values {
  return { title: row.title, description: row.description ?? '' }
}

function bodyOf<Changed extends Partial<Values>>(values: Changed) {
  return toBody(values, { nullable: ['description'] })
}

function Fields({ control }: { control: Control<Values> }) {
  return (
    <>
      <TextField control={control} name="title" label={labels.title} required />
      <TextField control={control} name="description" label={labels.description} multiline />
    </>
  )
}

const newSchema = schemaOf('Title is required.')

function AddDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(newSchema, emptyValues)
  const save = useSave(form, {
    send: (values, { attempt }) => {
      const body = bodyOf(values)
      return createOnce<typeof body, ItemPublic & typeof body>(attempt, body, {
        create: (headers) => itemsCreateItem({ body, headers }),
        update: ({ id }, headers) => itemsUpdateItem({ path: { id }, body, headers }),
      })
    },
    meta: { success: 'Item created successfully.', adds: 'items', invalidates: ['items'] },
    onSaved: onDone,
  })
  return (
    <FormDialog {...control} {...save} title="Add Item" description="Fill in the details to add a new item.">
      <Fields control={form.control} />
    </FormDialog>
  )
}

const schema = schemaOf('Title is required')

function EditDialog({ row, onDone, ...control }: PageDialogControl & { row: ItemPublic }) {
  const save = useEdit({
    schema,
    subject: 'This item',
    labels,
    query: itemsList.row(row.id),
    server: row,
    toValues,
    always: ['title', 'description'],
    send: (changes, headers) => itemsUpdateItem({ path: { id: row.id }, body: bodyOf(changes), headers }),
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
      saveRule="changed"
    >
      <Fields control={save.form.control} />
      <LinkedRows to="items" id={row.id} />
      <OwnerNote row={row} />
    </FormDialog>
  )
}

export function ItemDialogs({ dialog, control, selected }: ListDialogProps<typeof itemsList>) {
  if (dialog.kind === 'add') return <AddDialog {...control} />
  if (dialog.kind === 'delete_selected')
    return (
      <DeleteSelected
        {...control}
        {...selected}
        schema={ItemsBulkSchema}
        send={(target) => itemsBulkItems({ body: { action: 'delete', ...target } })}
        invalidates={['items']}
      />
    )
  const { kind, id } = dialog
  return (
    <ReadResource options={itemsList.row(id)} isEdited={kind === 'edit'} subject="This item" control={control}>
      {(row) => {
        const dialogs = {
          edit: <EditDialog {...control} row={row} />,
          delete: <DeleteRow {...control} list={itemsList} row={row} send={() => itemsDeleteItem({ path: { id } })} />,
        }
        return dialogs[kind]
      }}
    </ReadResource>
  )
}
