import type { OpenDialog } from './page-dialogs'
import { Button, type ButtonProps } from './ui/button'

interface OpenButtonProps<Dialog extends { kind: string; id?: string }> extends ButtonProps {
  open: OpenDialog<Dialog>
  dialog: Dialog
}

/** Opens a dialog of the page. */
export function OpenButton<Dialog extends { kind: string; id?: string }>(props: OpenButtonProps<Dialog>) {
  const { open, dialog, ...button } = props
  return <Button variant="secondary" {...button} onClick={({ currentTarget }) => open(dialog, currentTarget)} />
}
