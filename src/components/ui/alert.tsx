import { clsx } from 'clsx'
import { TriangleAlert } from 'lucide-react'
import type { ComponentProps } from 'react'

export function Alert({ className, children, ...props }: ComponentProps<'div'>) {
  return (
    <div {...props} className={clsx('flex gap-3 rounded-lg border bg-muted px-4 py-3', className)}>
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div>{children}</div>
    </div>
  )
}
