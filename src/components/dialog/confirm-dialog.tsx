import { TriangleAlert } from 'lucide-react'
import { Fragment, type ReactNode, type Ref, useId, useRef, useState } from 'react'
import { Button, type ButtonProps } from '../ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { Input } from '../ui/input'
import { UserText } from '../ui/user-text'

interface ConfirmDialogProps extends DialogControl {
  title: string
  /** The names of the affected objects. */
  subject?: string | readonly string[]
  /** The consequences. */
  description: ReactNode
  action?: string
  /** Must be typed first, because many objects are affected. */
  toType?: number | undefined
  cancel?: string
  variant?: ButtonProps['variant']
  /** The description says why it cannot be confirmed. */
  disabled?: boolean
  pending: boolean
  onConfirm: () => void
  /** Replaces the question after success. */
  result?: ReactNode
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
    toType,
    cancel = 'Cancel',
    variant = 'destructive',
    disabled = false,
    pending,
    onConfirm,
    result,
    ...control
  } = props
  const subjects = [subject].flat()
  const number = useRef<HTMLInputElement>(null)
  const [isMistyped, setMistyped] = useState(false)

  function confirm(): void {
    // It is still visible while it closes.
    if (!control.open) return
    const isTyped = toType === undefined || Number(number.current?.value.replaceAll(/[\s,.]/g, '')) === toType
    setMistyped(!isTyped)
    if (isTyped) onConfirm()
    else number.current?.focus()
  }

  return (
    <Dialog
      {...control}
      title={title}
      sheet="short"
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
          >
            {toType !== undefined && (
              <NumberForm ref={number} number={toType} isMistyped={isMistyped} onConfirm={confirm} />
            )}
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

interface NumberFormProps {
  ref: Ref<HTMLInputElement>
  number: number
  isMistyped: boolean
  onConfirm: () => void
}

function NumberForm({ ref, number, isMistyped, onConfirm }: NumberFormProps) {
  const id = useId()
  return (
    <form
      className="pb-4"
      onSubmit={(event) => {
        event.preventDefault()
        onConfirm()
      }}
    >
      <label htmlFor={id} className="mb-1 block font-medium">
        Type {number} to confirm
      </label>
      <Input
        ref={ref}
        id={id}
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={isMistyped}
        aria-describedby={isMistyped ? `${id}-error` : undefined}
      />
      {isMistyped && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-destructive">
          This is not {number}.
        </p>
      )}
    </form>
  )
}
