import { Button, type ButtonProps } from './button'
import { Tooltip } from './tooltip'

interface IconButtonProps extends Omit<ButtonProps, 'variant' | 'size' | 'title'> {
  label: string
  /** Shown after the label: `Ctrl+B`. */
  keys?: string
}

/** A button that is only an icon, with a tooltip. @param props.className of the box around it, for its place */
export function IconButton({ label, keys, className, ...button }: IconButtonProps) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`} className={className}>
      <Button variant="ghost" size="icon" aria-label={label} {...button} />
    </Tooltip>
  )
}
