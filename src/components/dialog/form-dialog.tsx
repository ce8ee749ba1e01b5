import type { ReactNode, SubmitEventHandler } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import type { PageDialogControl } from '../page-dialogs'
import { Dialog, DialogBody, DialogFooter, DialogForm } from './dialog'
import { type Form, hasChanges } from '../form/use-form'
import { SaveButton, type SaveRule } from '../form/fields'
import { useDraft } from '../form/use-draft'
import { growUpwards } from './viewport'

interface FormDialogProps<Values extends FieldValues, Output> extends Omit<PageDialogControl, 'onDone'> {
  title: string
  description: ReactNode
  form: Form<Values, Output>
  saveRule?: SaveRule
  saveLabel?: string
  pending: boolean
  /** Shown above the fields. While there is a notice, Save is disabled. */
  notice?: ReactNode
  initialField?: FieldPath<Values>
  onSubmit: SubmitEventHandler
  result?: ReactNode
  /** Whether `result` has a way back to the form, so that drafts and questions still protect the typed text. */
  isPreview?: boolean
  isWide?: boolean
  children: ReactNode
}

/** Clicks outside do not close a form with changes. */
export function FormDialog<Values extends FieldValues, Output>(props: FormDialogProps<Values, Output>) {
  const { open, opener, onClose, title, form, pending, onSubmit, notice, initialField, result } = props
  const { isInSearch, isPreview = false, isWide = false } = props
  const draft = useDraft(form, {
    title,
    dialog: { opener, isInSearch },
    isVisible: open && (result === undefined || isPreview),
  })

  function discard(): void {
    if (pending) onClose()
    else draft.discard(`“${title}” was closed. What you typed was not saved.`, onClose)
  }

  return (
    <>
      <Dialog
        {...props}
        onClose={discard}
        onOpenFocus={initialField && (() => form.setFocus(initialField))}
        width={isWide ? 'table' : 'form'}
        keepOpen={() => hasChanges(form)}
      >
        <DialogForm onSubmit={open ? onSubmit : (event) => event.preventDefault()}>
          <DialogBody description={props.description}>
            {notice && <div ref={growUpwards}>{notice}</div>}
            <div className="grid grid-cols-1 gap-x-4 pb-2 @min-[35rem]:grid-cols-2 [&>:not([data-short])]:col-span-full">
              {props.children}
            </div>
          </DialogBody>
          <DialogFooter onCancel={discard}>
            <SaveButton
              form={form}
              rule={props.saveRule}
              label={props.saveLabel}
              pending={pending}
              blocked={Boolean(notice)}
            />
          </DialogFooter>
        </DialogForm>
      </Dialog>
      {draft.question}
    </>
  )
}
