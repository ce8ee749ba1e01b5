import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const variants = {
  default: 'border-accent/25 bg-accent-tint text-accent',
  secondary: 'bg-surface text-muted-foreground',
  destructive: 'border-destructive/25 bg-destructive-tint text-destructive',
  outline: 'text-foreground',
}

interface BadgeProps {
  variant?: keyof typeof variants
  children: ReactNode
}

export function Badge({ variant = 'default', children }: BadgeProps) {
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

const statusColors = { success: 'text-success', destructive: 'text-destructive', neutral: 'text-muted-foreground' }

/** A dot and a word in the same colour. */
export function StatusBadge({ color, children }: { color: keyof typeof statusColors; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center gap-1.5 whitespace-nowrap before:size-2 before:rounded-full before:bg-current',
        statusColors[color],
      )}
    >
      {children}
    </span>
  )
}
