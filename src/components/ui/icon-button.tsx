import { Button, type ButtonProps } from './button'
import { Tooltip } from './tooltip'

interface IconButtonProps extends Omit<ButtonProps, 'variant' | 'size' | 'title'> {
  label: string
  /** The shortcut, such as `Ctrl+B`, which follows the label. */
  keys?: string
}

export function IconButton({ label, keys, className, ...button }: IconButtonProps) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`} className={className}>
      <Button variant="ghost" size="icon" aria-label={label} {...button} />
    </Tooltip>
  )
}
