import type { ReactNode, SubmitEventHandler } from 'react'
import { type Control, type FieldValues, useFormState } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Button } from '../ui/button'
import { Dialog, type DialogControl } from '../ui/dialog'
import { SaveButton, type SaveRule } from './save-button'

/** On closing, by whatever means, the form is to be forgotten: `useDialog` gives every opening a new one. */
interface FormDialogProps<Values extends FieldValues> extends DialogControl {
  title: string
  description: string
  control: Control<Values>
  schema: z.ZodMiniType<unknown, Values>
  saveRule: SaveRule
  pending: boolean
  onSubmit: SubmitEventHandler
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog, with Cancel and Save at its foot. A stray click outside does not cost what was typed. */
export function FormDialog<Values extends FieldValues>(props: FormDialogProps<Values>) {
  const { open, opener, title, description, control, schema, saveRule, pending, onSubmit, onClose, children } = props
  const { isDirty } = useFormState({ control })
  return (
    <Dialog open={open} opener={opener} onClose={onClose} title={title} description={description} keepOpen={isDirty}>
      <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={onSubmit}>
        <div className="min-h-0 flex-1 scroll-py-4 overflow-y-auto px-6 pt-4">{children}</div>
        <div className="flex justify-end gap-2 border-t px-6 py-4">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <SaveButton control={control} schema={schema} rule={saveRule} pending={pending} />
        </div>
      </form>
    </Dialog>
  )
}
