import { TriangleAlert } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { UserText } from '../ui/user-text'
import { useTypedNumber } from './typed-number'
import { type ConfirmOptions, useConfirm } from '../form/use-confirm'

/** What is asked. */
interface Question {
  title: string
  /** The names of the affected objects. */
  subject?: string | readonly string[]
  /** The consequences. */
  description: ReactNode
  action?: string
  /** More to choose, below the description. */
  choice?: ReactNode
  /** Must be typed first, because many objects are affected. */
  toType?: number | undefined
  cancel?: string
  variant?: ButtonProps['variant']
  /** Where it comes from on narrow screens. */
  sheet?: ComponentProps<typeof Dialog>['sheet']
  /** The description says why it cannot be confirmed. */
  disabled?: boolean
  /** Replaces the question after success. */
  result?: ReactNode
}

/** A question, and what is sent after a press. */
export type Confirmation<Result = unknown> = Question & ConfirmOptions<Result>

/** Asks for confirmation of a request, by default of a deletion. */
export function Confirm<Result>({ send, meta, deletes, onDone, ...question }: DialogControl & Confirmation<Result>) {
  const options = { send, meta, ...(deletes && { deletes }), ...(onDone && { onDone }) }
  return <ConfirmDialog {...question} {...useConfirm(options)} />
}

interface ConfirmDialogProps extends DialogControl, Question {
  pending: boolean
  onConfirm: () => void
}

/** The number of names that are shown. */
const MAX_NAMED = 10

/** Asks for confirmation, by default of a deletion. Cancel has the initial focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    subject = [],
    description,
    action = 'Delete',
    choice,
    toType,
    cancel = 'Cancel',
    variant = 'destructive',
    sheet = 'from below',
    disabled = false,
    pending,
    onConfirm,
    result,
    ...control
  } = props
  const subjects = [subject].flat()
  const { confirm, field } = useTypedNumber(toType, () => {
    // It is still visible while it closes.
    if (control.open) onConfirm()
  })

  return (
    <Dialog
      {...control}
      title={title}
      sheet={sheet}
      sign={variant === 'destructive' && <TriangleAlert aria-hidden className="size-5 shrink-0 text-destructive" />}
      keepOpen={() => result !== undefined}
    >
      {result ?? (
        <>
          <DialogBody
            description={
              <span>
                {subjects.slice(0, MAX_NAMED).map((name, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- rows may have the same name
                  <Fragment key={index}>
                    <strong className="mb-2 line-clamp-3 font-semibold text-foreground">
                      “<UserText>{name}</UserText>”
                    </strong>{' '}
                  </Fragment>
                ))}
                {subjects.length > MAX_NAMED && (
                  <strong className="mb-2 block font-semibold text-foreground">
                    {`and ${subjects.length - MAX_NAMED} more`}
                  </strong>
                )}{' '}
                <span>{description}</span>
              </span>
            }
          >
            {choice}
            {field}
          </DialogBody>
          <DialogFooter>
            <Button variant="secondary" onClick={control.onClose}>
              {cancel}
            </Button>
            <Button variant={variant} disabled={disabled} pending={pending} onClick={confirm}>
              {action}
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  )
}
