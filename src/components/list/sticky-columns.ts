import { clsx } from 'clsx'
import { type RefObject, useLayoutEffect } from 'react'
import type { Column } from './column'
import { BOX_WIDTH } from './column-widths'

// In a table wider than its frame, the columns up to the title stay at the left, and the menus at the right.

export interface StickyOffset {
  left?: string
  right?: string
  /** Whether the neighbouring column scrolls, so that a shadow separates the two. */
  isEdge: boolean
}

export function stickyColumns(
  columns: readonly Column<never>[],
  widths: readonly (string | undefined)[],
  hasBoxes: boolean,
): (StickyOffset | undefined)[] {
  const title = columns.findIndex(({ role }) => role === 'title')
  const before = [hasBoxes ? `${BOX_WIDTH}rem` : '0px', ...widths]
  return columns.map(({ role }, index) => {
    if (role === 'actions') return { right: '0px', isEdge: true }
    if (index > title) return undefined
    return { left: `calc(${before.slice(0, index + 1).join(' + ')})`, isEdge: index === title }
  })
}

/** The shadow is a pseudo-element, because cells have no `box-shadow` where borders collapse. */
export const stickyClass = ({ left, isEdge }: StickyOffset): string =>
  clsx(
    'columns:sticky columns:z-1 columns:bg-inherit',
    isEdge &&
      'columns:after:pointer-events-none columns:after:absolute columns:after:inset-y-0 columns:after:w-2 columns:after:border-border columns:after:from-edge columns:after:to-transparent columns:after:opacity-0',
    isEdge &&
      (left === undefined
        ? 'columns:after:right-full columns:after:border-r columns:after:bg-linear-to-l columns:in-data-hidden-right:after:opacity-100'
        : 'columns:after:left-full columns:after:border-l columns:after:bg-linear-to-r columns:in-data-hidden-left:after:opacity-100'),
  )

/** Keeps the focused element clear of columns that stay in place. */
export function scrollPaddingOf(
  stuck: readonly (StickyOffset | undefined)[],
  widths: readonly (string | undefined)[],
): string {
  const title = stuck.findIndex((place) => place?.isEdge && place.left !== undefined)
  const actions = stuck.findIndex((place) => place?.right !== undefined)
  return `calc(${stuck[title]?.left ?? '0px'} + ${widths[title] ?? '0px'}) ${widths[actions] ?? '0px'}`
}

/** Marks the edges beyond which columns are hidden, where shadows appear. */
export function useHiddenEdges(frame: RefObject<HTMLElement | null>, isWide: boolean): void {
  useLayoutEffect(() => {
    const element = frame.current
    if (!element || !isWide) return undefined
    const mark = (): void => {
      const { scrollLeft, clientWidth, scrollWidth } = element
      element.toggleAttribute('data-hidden-left', scrollLeft > 0)
      element.toggleAttribute('data-hidden-right', scrollLeft + clientWidth < scrollWidth - 1)
    }
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [frame, isWide])
}
