import { useRouter } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode, RefObject, SubmitEventHandler } from 'react'
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import type * as z from 'zod/mini'
import type { Attempt } from '@/lib/api/create-once'
import { useCurrentUser } from '@/lib/api/current-user'
import { draftOf, restoreDraft } from '@/lib/drafts'
import { editors } from '@/lib/editors'
import { getToken } from '@/lib/session'
import { toast } from '@/lib/toast'
import { Button } from '../ui/button'
import type { PageDialogControl } from '../use-dialog'
import { Dialog, DialogBody, DialogFooter, dialogGrow } from './dialog'
import { hasFormChanges } from '../form/stored-values'
import { SaveButton, type SaveRule } from '../form/save-button'
import { useEditor } from '../form/use-editor'

interface FormDialogProps<Values extends FieldValues, Output> extends Omit<PageDialogControl, 'onDone'> {
  title: string
  description: string
  form: UseFormReturn<Values, unknown, Output>
  schema: z.ZodMiniType<unknown, Values>
  saveRule: SaveRule
  saveLabel?: string
  pending: boolean
  /** Shown above the fields. Save is disabled while it is shown. */
  notice?: ReactNode
  attempt?: RefObject<Attempt>
  /** The field with the initial focus, by default the first one. */
  initialField?: FieldPath<Values>
  onSubmit: SubmitEventHandler
  /** Replaces the form after success. */
  result?: ReactNode
  /** The result leads back to the form, whose text must not be lost. */
  isPreview?: boolean
  children: ReactNode
}

/** A form in a dialog, with Cancel and Save. Clicks outside do not close a form with changes. */
export function FormDialog<Values extends FieldValues, Output>(props: FormDialogProps<Values, Output>) {
  const {
    open,
    opener,
    onClose,
    isInSearch,
    title,
    description,
    form,
    schema,
    saveRule,
    saveLabel,
    pending,
    attempt,
    onSubmit,
  } = props
  const { notice = null, initialField, result, isPreview = false, children } = props
  const { control } = form
  useEditor(form, {
    title,
    isVisible: open && (result === undefined || isPreview),
    attempt,
    dialog: { opener, isInSearch },
  })
  const router = useRouter()
  const { id: userId } = useCurrentUser()

  /** Closes without a question, as a form that is closed is reset. The text can be brought back for some seconds. */
  function discard(): void {
    const editor = pending ? undefined : editors.get().find(({ dialog }) => dialog?.opener === opener)
    const draft = editor && draftOf(editor, userId, router.state.location.href)
    const token = getToken()
    onClose()
    if (!draft) return
    toast.undo(`“${title}” was closed. What you typed was not saved.`, () => {
      // Another user may be logged in.
      if (getToken() === token) void restoreDraft(draft, (href) => router.navigate({ href }))
    })
  }

  return (
    <Dialog
      open={open}
      opener={opener}
      onClose={discard}
      onOpenFocus={initialField && (() => form.setFocus(initialField))}
      title={title}
      keepOpen={() => result !== undefined || hasFormChanges(form)}
    >
      {result ?? (
        <form
          noValidate
          className={clsx('flex flex-col', dialogGrow)}
          onSubmit={(event) => {
            event.preventDefault()
            if (open) onSubmit(event)
          }}
        >
          <DialogBody description={description}>
            {notice}
            {children}
          </DialogBody>
          <DialogFooter>
            <Button variant="secondary" onClick={discard}>
              Cancel
            </Button>
            <SaveButton
              control={control}
              schema={schema}
              rule={saveRule}
              label={saveLabel}
              pending={pending}
              blocked={notice !== null}
            />
          </DialogFooter>
        </form>
      )}
    </Dialog>
  )
}
