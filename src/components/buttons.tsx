import { focusHeading } from '@/browser/focus-heading'
import { type ConfirmOptions, useConfirm } from './form/use-confirm'
import type { OpenDialog } from './page-dialogs'
import { Button, type ButtonProps } from './ui/button'

/** A `ref`. Focuses the heading of the page when the element is removed with the focus, which browsers would drop. */
export function keepFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) focusHeading()
  }
}

export function DisappearingButton(props: ButtonProps) {
  return <Button {...props} ref={keepFocus} />
}

/** Sends a request without a question. The button may disappear with the answer. */
export function RequestButton<Result>(props: ButtonProps & Omit<ConfirmOptions<Result>, 'deletes'>) {
  const { send, meta, onDone, ...button } = props
  const { pending, onConfirm } = useConfirm({ send, meta, onDone })
  return <DisappearingButton variant="secondary" {...button} pending={pending} onClick={onConfirm} />
}

interface OpenButtonProps<Dialog extends { kind: string; id?: string }> extends ButtonProps {
  open: OpenDialog<Dialog>
  dialog: Dialog
}

/** Opens a dialog of the page. */
export function OpenButton<Dialog extends { kind: string; id?: string }>(props: OpenButtonProps<Dialog>) {
  const { open, dialog, ...button } = props
  return <Button variant="secondary" {...button} onClick={({ currentTarget }) => open(dialog, currentTarget)} />
}
