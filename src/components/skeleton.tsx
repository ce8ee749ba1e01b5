import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** Takes the place of something that loads. Appears after 150 ms. @param props.className sets the size */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={clsx('animate-appear rounded-lg border bg-surface', className)} />
}

/** Has the size of its content, which is invisible. */
export function SkeletonOf({ children }: { children: ReactNode }) {
  return (
    <div className="relative">
      <div className="invisible">{children}</div>
      <Skeleton className="absolute inset-0" />
    </div>
  )
}

export function RowsSkeleton() {
  return (
    <div className="overflow-hidden rounded-lg border">
      <SkeletonRows />
    </div>
  )
}

export function SkeletonRows() {
  return (
    <div aria-hidden className="animate-appear divide-y">
      {Array.from({ length: 8 }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are alike
        <div key={row} className="flex h-16 items-center gap-4 px-4 md:h-10">
          <span className="h-3 w-1/4 rounded bg-muted" />
          <span className="h-3 w-1/3 rounded bg-muted" />
        </div>
      ))}
    </div>
  )
}
