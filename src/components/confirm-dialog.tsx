import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './ui/dialog'
import { UserText } from './user-text'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** What the thing in question is called. */
  subject?: string
  /** What will happen, and that it cannot be undone. */
  description: ReactNode
  /** Of the button that does it. */
  action?: string
  /** Of the button that does nothing. */
  cancel?: string
  variant?: ButtonProps['variant']
  pending: boolean
  onConfirm: () => void
  /** In place of the question once it is done. */
  result?: ReactNode
}

/** Asks before something is done, by default before it is deleted. The focus starts on Cancel. */
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
