import { TriangleAlert } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { UserText } from '../ui/user-text'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** The names of the affected objects. */
  subject?: string | readonly string[]
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

/** The number of names that are shown. */
export const MAX_NAMED = 10

/** Asks for confirmation, by default of a deletion. Cancel has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    subject = [],
    description,
    action = 'Delete',
    cancel = 'Cancel',
    variant = 'destructive',
    pending,
    onConfirm,
    result,
    ...control
  } = props
  const subjects = [subject].flat()
  return (
    <Dialog
      {...control}
      title={title}
      isShort
      sign={variant === 'destructive' && <TriangleAlert aria-hidden className="size-5 shrink-0 text-destructive" />}
      keepOpen={() => result !== undefined}
    >
      {result ?? (
        <>
          <DialogBody
            description={
              <>
                {subjects.slice(0, MAX_NAMED).map((name) => (
                  <Fragment key={name}>
                    <strong className="mb-2 line-clamp-3 font-semibold text-foreground">
                      “<UserText>{name}</UserText>”
                    </strong>{' '}
                  </Fragment>
                ))}
                {subjects.length > MAX_NAMED && (
                  <strong className="mb-2 block font-semibold text-foreground">
                    and {subjects.length - MAX_NAMED} more
                  </strong>
                )}{' '}
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
