import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const variants = {
  default: 'border-accent/25 bg-accent-tint text-accent',
  secondary: 'bg-surface text-muted-foreground',
  destructive: 'border-destructive/25 bg-destructive-tint text-destructive',
  success: 'border-success/25 bg-success-tint text-success',
  outline: 'text-foreground',
}

interface BadgeProps {
  variant?: keyof typeof variants
  /** Marks a status. */
  dot?: boolean
  children: ReactNode
}

export function Badge({ variant = 'default', dot = false, children }: BadgeProps) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap',
        dot && 'before:size-1.5 before:rounded-full before:bg-current',
        variants[variant],
      )}
    >
      {children}
    </span>
  )
}
