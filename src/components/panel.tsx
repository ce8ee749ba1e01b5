import { type ReactNode, useId } from 'react'
import { Skeleton } from './skeleton'

export const panelRow =
  'flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-2 transition-colors hover:bg-surface'

interface PanelProps {
  title: string
  link?: ReactNode
  /** Must be `li` elements. */
  children: ReactNode
}

export function Panel({ title, link, children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="min-w-0 overflow-hidden rounded-lg border">
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 border-b px-4 py-1">
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        {link}
      </div>
      <ul className="divide-y">{children}</ul>
    </section>
  )
}

/** Has the size of a panel with five rows of two lines. */
export function PanelSkeleton() {
  return <Skeleton className="h-86" />
}
