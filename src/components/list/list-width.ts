import { createAtom, useSelector } from '@tanstack/react-store'

/** The width of the list that was shown last, in rem. All lists have the same width. */
const listWidth = createAtom(Infinity)

/** A `ref` for the element around a list. Measures it before its first paint. */
export function measureList(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  const observer = new ResizeObserver(() => {
    const width = element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    // The element of a hidden page has no width.
    if (width > 0) listWidth.set(width)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** A value that depends on the width of a list. Renders again only if that value changes. */
export const useListWidth = <Result extends string | number | boolean>(select: (width: number) => Result): Result =>
  useSelector(listWidth, select)
