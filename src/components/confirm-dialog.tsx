import { Button } from './ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './ui/dialog'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** What will happen, and that it cannot be undone. */
  description: string
  pending: boolean
  onConfirm: () => void
}

/** Asks before something is deleted. The focus starts on Cancel. */
export function ConfirmDialog({ title, description, pending, onConfirm, ...control }: ConfirmDialogProps) {
  return (
    <Dialog {...control} title={title}>
      <DialogBody description={description} />
      <DialogFooter>
        <Button variant="secondary" onClick={control.onClose}>
          Cancel
        </Button>
        <Button variant="destructive" pending={pending} onClick={onConfirm}>
          Delete
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
