import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { checkClass } from './classes'

export function Checkbox({ className, ...props }: ComponentProps<'input'>) {
  return (
    <input
      {...props}
      type="checkbox"
      className={clsx(
        checkClass,
        'rounded before:[clip-path:polygon(14%_44%,0_65%,45%_100%,100%_16%,80%_0%,43%_62%)]',
        // Draws a dash. It is not in `checkClass`, because radio buttons are `:indeterminate` while none is chosen.
        'indeterminate:border-primary indeterminate:bg-primary indeterminate:before:scale-100 indeterminate:before:[clip-path:inset(38%_0)]',
        className,
      )}
    />
  )
}
