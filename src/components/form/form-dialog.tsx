import type { ReactNode, SubmitEventHandler } from 'react'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'

interface FormDialogProps {
  open: boolean
  title: string
  description: string
  /** By Cancel, Escape or the close button: the form is to be reset. */
  onClose: () => void
  onSubmit: SubmitEventHandler
  saveButton: ReactNode
  /** The fields. */
  children: ReactNode
}

/** A form in a dialog, with Cancel and Save at its foot. */
export function FormDialog({ open, title, description, onClose, onSubmit, saveButton, children }: FormDialogProps) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={title} description={description}>
      <form noValidate className="flex min-h-0 flex-1 flex-col" onSubmit={onSubmit}>
        <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-4">{children}</div>
        <div className="flex justify-end gap-2 border-t px-6 py-4">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          {saveButton}
        </div>
      </form>
    </Dialog>
  )
}
