import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const variants = {
  default: 'border-accent/25 bg-accent-tint text-accent',
  secondary: 'bg-surface text-muted-foreground',
  destructive: 'border-destructive/25 bg-destructive-tint text-destructive',
  outline: 'text-foreground',
  /** Uses the `--hue` that an ancestor sets. */
  hue: 'hue-colors',
  success: 'border-success/25 bg-success-tint text-success',
}

export function Badge({ variant = 'default', children }: { variant?: keyof typeof variants; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex max-w-full items-center rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap',
        variants[variant],
      )}
    >
      {children}
    </span>
  )
}
