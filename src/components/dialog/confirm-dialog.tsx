import { TriangleAlert } from 'lucide-react'
import { Fragment, type ReactNode, useEffect, useEffectEvent } from 'react'
import { toast } from '@/browser/toast'
import type { PageDialogControl } from '../page-dialogs'
import { Button, type ButtonProps } from '../ui/button'
import { Dialog, DialogBody, type DialogControl, DialogFooter } from './dialog'
import { UserText } from '../ui/user-text'
import { useTypedNumber } from './typed-number'
import { type ConfirmOptions, useConfirm } from '../form/use-confirm'

interface Question {
  title: string
  subject?: string | readonly string[]
  description: ReactNode
  action?: string
  choice?: ReactNode
  toType?: number | undefined
  cancel?: string
  variant?: ButtonProps['variant']
  sheet?: 'from the right'
  disabled?: boolean
  result?: ReactNode
}

export type Confirmation<Result = unknown> = Question & ConfirmOptions<Result>

export function Confirm<Result>({ send, meta, deletes, onDone, ...question }: DialogControl & Confirmation<Result>) {
  return <ConfirmDialog {...question} {...useConfirm({ send, meta, deletes, onDone })} />
}

const MAX_NAMED = 10

/** Cancel gets the initial focus. */
export function ConfirmDialog(props: DialogControl & Question & { pending: boolean; onConfirm: () => void }) {
  const { open, onClose, subject = [], description, choice, toType, pending, onConfirm } = props
  const { cancel, action = 'Delete', variant = 'destructive', disabled = false } = props
  const subjects = [subject].flat()
  const { confirm, field } = useTypedNumber(toType, () => {
    // A click during the exit animation must not confirm.
    if (open) onConfirm()
  })

  return (
    <Dialog
      sheet="from below"
      {...props}
      sign={variant === 'destructive' && <TriangleAlert aria-hidden className="size-5 shrink-0 text-destructive" />}
    >
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
      <DialogFooter onCancel={onClose} cancel={cancel}>
        <Button variant={variant} disabled={disabled} pending={pending} onClick={confirm}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}

/** Closes a dialog that the page does not offer, but a URL can open. */
export function Refusal({ control, reason }: { control: DialogControl; reason?: string }): null {
  const close = useEffectEvent(() => {
    if (!control.open) return
    if (reason !== undefined) toast.error(reason)
    control.onClose()
  })
  useEffect(() => close(), [])
  return null
}

interface ConfirmIfPresentProps {
  /** The question about an entry of a list on the page, such as a passkey. */
  entry: Confirmation | undefined
  /** The message if the entry is absent. */
  gone: string
  control: PageDialogControl
}

export function ConfirmIfPresent({ entry, gone, control }: ConfirmIfPresentProps) {
  return entry ? <Confirm {...control} {...entry} /> : <Refusal control={control} reason={gone} />
}
