import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlHeight, fieldClass } from './classes'

export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className)}>
      <select {...props} className={clsx(fieldClass, controlHeight, 'shadow-xs appearance-none truncate pr-8')} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
