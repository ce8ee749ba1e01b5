import { Button } from './ui/button'
import { Dialog, type DialogControl } from './ui/dialog'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** What will happen, and that it cannot be undone. */
  description: string
  action: string
  pending: boolean
  onConfirm: () => void
}

/** Asks before something is deleted. The focus starts on Cancel. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, opener, title, description, action, pending, onClose, onConfirm } = props
  return (
    <Dialog open={open} opener={opener} onClose={onClose} title={title} description={description}>
      <div className="flex justify-end gap-2 px-6 pt-6 pb-5">
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="destructive" pending={pending} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
