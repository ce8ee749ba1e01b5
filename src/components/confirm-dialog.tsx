import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './ui/dialog'
import { UserText } from './user-text'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** The name of the affected object. */
  subject?: string
  /** The consequences. */
  description: ReactNode
  action?: string
  cancel?: string
  variant?: ButtonProps['variant']
  pending: boolean
  onConfirm: () => void
  /** Replaces the question after success. */
  result?: ReactNode
}

/** Asks for confirmation, by default of a deletion. Cancel has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    subject,
    description,
    action = 'Delete',
    cancel = 'Cancel',
    variant = 'destructive',
    pending,
    onConfirm,
    result,
    ...control
  } = props
  return (
    <Dialog {...control} title={title} keepOpen={() => result !== undefined}>
      {result ?? (
        <>
          <DialogBody
            description={
              <>
                {variant === 'destructive' && (
                  <span className="mb-3 grid size-10 place-items-center rounded-full bg-destructive/10">
                    <TriangleAlert aria-hidden className="size-5 text-destructive" />
                  </span>
                )}
                {subject !== undefined && (
                  <strong className="mb-2 line-clamp-3 font-semibold text-foreground">
                    “<UserText>{subject}</UserText>”
                  </strong>
                )}
                {description}
              </>
            }
          />
          <DialogFooter>
            <Button variant="secondary" onClick={control.onClose}>
              {cancel}
            </Button>
            <Button variant={variant} pending={pending} onClick={onConfirm}>
              {action}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  )
}
