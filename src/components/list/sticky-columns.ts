import { clsx } from 'clsx'
import type { Column } from './column'

// In a table wider than its frame, the columns up to the title stay at the left, and the menus at the right.

export interface StickyOffset {
  left?: string
  right?: string
  /** Whether the neighbouring column scrolls, so that a shadow separates the two. */
  isEdge: boolean
}

export function stickyColumns(columns: readonly Column<never>[], widths: readonly (string | undefined)[]) {
  const title = columns.findIndex(({ role }) => role === 'title')
  const before = ['0px', ...widths.map((width = '0px') => width)]
  const leftOf = (index: number) => `calc(${before.slice(0, index + 1).join(' + ')})`
  const menus = widths[columns.findIndex(({ role }) => role === 'actions')] ?? '0px'
  return {
    offsets: columns.map(({ role }, index): StickyOffset | undefined => {
      if (role === 'actions') return { right: '0px', isEdge: true }
      return index > title ? undefined : { left: leftOf(index), isEdge: index === title }
    }),
    /** Keeps the focused element clear of columns that stay in place. */
    scrollPadding: `${leftOf(title + 1)} ${menus}`,
  }
}

/** The shadow is a pseudo-element, because cells have no `box-shadow` where borders collapse. */
export const stickyClass = ({ left, isEdge }: StickyOffset): string =>
  clsx(
    'columns:sticky columns:z-1 columns:bg-inherit',
    isEdge && [
      'columns:after:pointer-events-none columns:after:absolute columns:after:inset-y-0 columns:after:w-2 columns:after:border-border columns:after:from-edge columns:after:to-transparent columns:after:opacity-0',
      left === undefined
        ? 'columns:after:right-full columns:after:border-r columns:after:bg-linear-to-l columns:in-data-hidden-right:after:opacity-100'
        : 'columns:after:left-full columns:after:border-l columns:after:bg-linear-to-r columns:in-data-hidden-left:after:opacity-100',
    ],
  )

/** A `ref` for a frame that scrolls. Marks the edges beyond which columns are hidden, where shadows appear. */
export function markHiddenEdges(frame: HTMLElement | null): (() => void) | undefined {
  if (!frame) return undefined
  const mark = (): void => {
    const { scrollLeft, clientWidth, scrollWidth } = frame
    frame.toggleAttribute('data-hidden-left', scrollLeft > 0)
    frame.toggleAttribute('data-hidden-right', scrollLeft + clientWidth < scrollWidth - 1)
  }
  const observer = new ResizeObserver(mark)
  observer.observe(frame)
  frame.addEventListener('scroll', mark, { passive: true })
  return () => {
    observer.disconnect()
    frame.removeEventListener('scroll', mark)
  }
}
