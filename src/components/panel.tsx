import type { LinkProps } from '@tanstack/react-router'
import { type ReactNode, useId } from 'react'
import { Link } from './link'
import { Skeleton } from './skeleton'
import { TimeAgo } from './time'

export const panelRow =
  'flex min-h-12 items-center gap-3 px-4 py-2 -outline-offset-2 transition-colors hover:bg-surface'

interface PanelProps {
  title: string
  link?: ReactNode
  /** Must be `li` elements, such as of `PanelRow`. */
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

interface PanelRowProps {
  link?: LinkProps | undefined
  picture?: ReactNode
  title: ReactNode
  text?: ReactNode
  time?: string
}

export function PanelRow({ link, picture, title, text, time }: PanelRowProps) {
  const content = (
    <>
      {picture}
      {/* Two lines, also without a text, so that all rows of a list are equally high. */}
      <span className="flex min-h-[2lh] min-w-0 flex-1 flex-col justify-center">
        <span className="block font-medium">{title}</span>{' '}
        {text && <span className="block text-muted-foreground">{text}</span>}
      </span>{' '}
      {time !== undefined && (
        <span className="shrink-0 text-muted-foreground">
          <TimeAgo time={time} />
        </span>
      )}
    </>
  )
  return (
    <li>
      {link ? (
        <Link {...link} className={panelRow}>
          {content}
        </Link>
      ) : (
        <div className={panelRow}>{content}</div>
      )}
    </li>
  )
}

/** Has the size of a panel with five rows of two lines. */
export function PanelSkeleton() {
  return <Skeleton className="h-86 pointer-coarse:h-87.25" />
}
