import type { ReactNode, SubmitEventHandler } from 'react'
import { type FieldValues, type UseFormReturn, useFormState } from 'react-hook-form'
import type * as z from 'zod/mini'
import { Button } from '../ui/button'
import { Dialog, type DialogControl } from '../ui/dialog'
import { SaveButton, type SaveRule } from './save-button'
import { useKeptForm } from './use-kept-form'

/** On closing, by whatever means, the form is to be forgotten: `useDialog` gives every opening a new one. */
interface FormDialogProps<Values extends FieldValues, Output> extends DialogControl {
  title: string
  description: string
  form: UseFormReturn<Values, unknown, Output>
  schema: z.ZodMiniType<unknown, Values>
  saveRule: SaveRule
  pending: boolean
  /** Something to be settled before Save, over the fields. */
  notice?: ReactNode
  onSubmit: SubmitEventHandler
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog, with Cancel and Save at its foot. A stray click outside does not cost what was typed. */
export function FormDialog<Values extends FieldValues, Output>(props: FormDialogProps<Values, Output>) {
  const { open, opener, title, description, form, schema, saveRule, pending, onSubmit, onClose, children } = props
  const { notice = null } = props
  const { control } = form
  const { isDirty } = useFormState({ control })
  useKeptForm(form, title, open)
  return (
    <Dialog open={open} opener={opener} onClose={onClose} title={title} description={description} keepOpen={isDirty}>
      <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={onSubmit}>
        <div className="min-h-0 flex-1 scroll-py-4 overflow-y-auto px-6 pt-4">
          {notice}
          {children}
        </div>
        <div className="flex justify-end gap-2 border-t px-6 py-4">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <SaveButton control={control} schema={schema} rule={saveRule} pending={pending} blocked={notice !== null} />
        </div>
      </form>
    </Dialog>
  )
}
