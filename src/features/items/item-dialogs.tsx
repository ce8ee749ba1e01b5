import type { Control } from 'react-hook-form'
import * as z from 'zod/mini'
import { DescriptionSchema, ItemsBulkSchema, TitleSchema } from '@/client/schemas.gen'
import { itemsBulkItems, itemsCreateItem, itemsDeleteItem, itemsUpdateItem } from '@/client/sdk.gen'
import type { ItemPublic } from '@/client/types.gen'
import { BulkDialog } from '@/components/dialog/bulk-dialog'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { FormDialog } from '@/components/dialog/form-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import { TextField } from '@/components/form/text-field'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { useSave } from '@/components/form/use-save'
import { useZodForm, useZodFormOf } from '@/components/form/use-zod-form'
import { LinkedRows } from '@/components/linked-rows'
import type { ListDialogProps } from '@/components/list/list-page'
import { OwnerNote } from '@/components/owner-note'
import type { PageDialogControl } from '@/components/page-dialogs'
import { createOnce } from '@/data/api/create-once'
import { toBody } from '@/lib/to-body'
import { optionalText, requiredText } from '@/lib/validation/rules'
import { itemsList } from './items-list'

/** @param missing the message for an empty first field */
function itemSchema(missing: string) {
  return z.object({ title: requiredText(missing, TitleSchema), description: optionalText(DescriptionSchema) })
}

type ItemValues = z.infer<ReturnType<typeof itemSchema>>

const emptyItem = { title: '', description: '' }

const itemLabels = { title: 'Title', description: 'Description' }

function toItemValues(item: ItemPublic): ItemValues {
  return { title: item.title, description: item.description ?? '' }
}

/** The body for all or only the changed values. */
function toItemBody<Values extends Partial<ItemValues>>(values: Values) {
  return toBody(values, { nullable: ['description'] })
}

function ItemFields({ control }: { control: Control<ItemValues> }) {
  return (
    <>
      <TextField control={control} name="title" label={itemLabels.title} required />
      <TextField control={control} name="description" label={itemLabels.description} multiline />
    </>
  )
}

const newSchema = itemSchema('Title is required.')

function AddItemDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(newSchema, emptyItem)
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
      schema={newSchema}
      saveRule="valid"
    >
      <ItemFields control={form.control} />
    </FormDialog>
  )
}

const schema = itemSchema('Title is required')

function EditItemDialog({ item, onDone, ...control }: PageDialogControl & { item: ItemPublic }) {
  const form = useZodFormOf(schema, toItemValues(item))
  const path = { id: item.id }
  const save = useSave(form, {
    edited: {
      subject: 'This item',
      labels: itemLabels,
      query: itemsList.row(item.id),
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

/** The dialogs of the items page, loaded together. */
export function ItemDialogs({ dialog, control, selected }: ListDialogProps<typeof itemsList>) {
  if (dialog.kind === 'add') return <AddItemDialog {...control} />
  if (dialog.kind === 'delete_selected') return <DeleteItemsDialog {...control} {...selected} />
  const read = {
    options: itemsList.row(dialog.id),
    subject: 'This item',
    control,
  }
  const onDeleted = () => {
    selected.selection.remove([dialog.id])
    return control.onDone()
  }
  return dialog.kind === 'edit' ? (
    <ReadResource {...read} isEdited>
      {(item) => <EditItemDialog {...control} item={item} />}
    </ReadResource>
  ) : (
    <ReadResource {...read}>
      {(item) => (
        <Confirm
          {...control}
          title="Delete Item"
          sheet="from the right"
          subject={item.title}
          description="This item will be permanently deleted. This action cannot be undone."
          send={() => ignoreNotFound(itemsDeleteItem({ path: { id: item.id } }))}
          deletes={read.options}
          meta={{
            success: 'The item was deleted successfully',
            rows: { tag: 'items', ids: () => [item.id], fields: null },
            invalidates: ['items'],
            failure: { toast: 'An error occurred while deleting the item' },
          }}
          onDone={onDeleted}
        />
      )}
    </ReadResource>
  )
}

/** Deletes the selected items. */
function DeleteItemsDialog(props: PageDialogControl & ListDialogProps<typeof itemsList>['selected']) {
  return (
    <BulkDialog
      {...props}
      title="Delete"
      isDeletion
      consequence="They will be permanently deleted. This action cannot be undone."
      consequenceOfOne="This item will be permanently deleted. This action cannot be undone."
      schema={ItemsBulkSchema}
      send={(target) => itemsBulkItems({ body: { action: 'delete', ...target } })}
      done={['was deleted.', 'were deleted.']}
      invalidates={['items']}
    />
  )
}
