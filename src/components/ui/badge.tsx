import { clsx } from 'clsx'
import type { ReactNode } from 'react'

const variants = {
  default: 'border-transparent bg-primary text-primary-foreground',
  secondary: 'border-transparent bg-muted text-foreground',
  destructive: 'border-transparent bg-destructive text-destructive-foreground',
  success: 'border-transparent bg-success text-success-foreground',
  outline: 'border-input text-foreground',
}

export function Badge({ variant = 'default', children }: { variant?: keyof typeof variants; children: ReactNode }) {
  return (
    <span
      className={clsx(
        'inline-flex items-center rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap',
        variants[variant],
      )}
    >
      {children}
    </span>
  )
}
