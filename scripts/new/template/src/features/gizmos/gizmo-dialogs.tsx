import type { Control } from 'react-hook-form'
import * as z from 'zod/mini'
import { GizmosBulkSchema } from '@/client/schemas.gen'
import { gizmosBulkGizmos, gizmosCreateGizmo, gizmosDeleteGizmo, gizmosUpdateGizmo } from '@/client/sdk.gen'
import type { GizmoCreate, GizmoPublic } from '@/client/types.gen'
import { DeleteSelected } from '@/components/dialog/bulk-dialog'
import { DeleteRow } from '@/components/dialog/delete-row'
import { FormDialog } from '@/components/dialog/form-dialog'
import { ReadResource } from '@/components/dialog/read-resource'
import { useEdit } from '@/components/form/use-edit'
import { useSave, useZodForm } from '@/components/form/use-form'
import { LinkedRows } from '@/components/linked-rows'
import type { ListDialogProps } from '@/components/list/list-page'
import { OwnerNote } from '@/components/owner-note'
import type { PageDialogControl, PageDialogProps } from '@/components/page-dialogs'
import { createOnce } from '@/data/api/save'
import type { RowDialog } from '@/lib/search-params'
import { toBody } from '@/lib/to-body'
import { gizmosList } from './gizmos-list'

const schema = z.object({ RULES } satisfies Record<keyof GizmoCreate, z.ZodMiniType>)

type Values = z.infer<typeof schema>

const emptyValues = { EMPTY }

const labels = { LABELS }

function toValues(row: GizmoPublic): Values {
  return { VALUES }
}

/** The body for all or only the changed values. */
function bodyOf<Changed extends Partial<Values>>(values: Changed) {
  return toBody(values, { OPTIONS })
}

function Fields({ control }: { control: Control<Values> }) {
  return <>{INPUTS}</>
}

function AddDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(schema, emptyValues)
  const save = useSave(form, {
    send: (values, { attempt }) => {
      const body = bodyOf(values)
      return createOnce<typeof body, GizmoPublic & typeof body>(attempt, body, {
        create: (headers) => gizmosCreateGizmo({ body, headers }),
        update: ({ id }, headers) => gizmosUpdateGizmo({ path: { id }, body, headers }),
      })
    },
    meta: { success: 'Gizmo created successfully.', adds: 'gizmos', invalidates: ['gizmos'] },
    onSaved: onDone,
  })
  return (
    <FormDialog {...control} {...save} title="Add Gizmo" description="Fill in the details to add a new gizmo.">
      <Fields control={form.control} />
    </FormDialog>
  )
}

function EditDialog({ row, onDone, ...control }: PageDialogControl & { row: GizmoPublic }) {
  const save = useEdit({
    schema,
    subject: 'This gizmo',
    labels,
    query: gizmosList.row(row.id),
    server: row,
    toValues,
    send: (changes, headers) => gizmosUpdateGizmo({ path: { id: row.id }, body: bodyOf(changes), headers }),
    meta: { success: 'Gizmo updated successfully.', stores: 'gizmos', invalidates: ['gizmos'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Edit Gizmo"
      initialField={NAME}
      description="Change the details of this gizmo."
      saveRule="changed"
    >
      <Fields control={save.form.control} />
      <LinkedRows to="gizmos" id={row.id} />
      <OwnerNote row={row} />
    </FormDialog>
  )
}

/** The dialogs of a row, in the list and on its page. */
export function GizmoDialogs({
  dialog: { kind, id },
  control,
}: Pick<PageDialogProps<RowDialog>, 'dialog' | 'control'>) {
  return (
    <ReadResource options={gizmosList.row(id)} isEdited={kind === 'edit'} subject="This gizmo" control={control}>
      {(row) => {
        const dialogs = {
          edit: <EditDialog {...control} row={row} />,
          delete: (
            <DeleteRow {...control} list={gizmosList} row={row} send={() => gizmosDeleteGizmo({ path: { id } })} />
          ),
        }
        return dialogs[kind]
      }}
    </ReadResource>
  )
}

/** The dialogs of the list. */
export function GizmosDialogs({ dialog, control, selected }: ListDialogProps<typeof gizmosList>) {
  if (dialog.kind === 'add') return <AddDialog {...control} />
  if (dialog.kind === 'delete_selected')
    return (
      <DeleteSelected
        {...control}
        {...selected}
        schema={GizmosBulkSchema}
        send={(target) => gizmosBulkGizmos({ body: { action: 'delete', ...target } })}
        invalidates={['gizmos']}
      />
    )
  return <GizmoDialogs dialog={dialog} control={control} />
}
