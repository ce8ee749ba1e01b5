import { DisappearingButton } from './disappearing-button'
import { type ConfirmOptions, useConfirm } from './form/use-confirm'
import type { ButtonProps } from './ui/button'

/** Sends a request without a question. The button may disappear with the answer. */
export function RequestButton<Result>(props: ButtonProps & Omit<ConfirmOptions<Result>, 'deletes'>) {
  const { send, meta, onDone, ...button } = props
  const { pending, onConfirm } = useConfirm({ send, meta, onDone })
  return <DisappearingButton variant="secondary" {...button} pending={pending} onClick={onConfirm} />
}
