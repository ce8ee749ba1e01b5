import { createAtom, useSelector } from '@tanstack/react-store'

/** Of the last list that was shown, in rem. All lists are as wide as the page. */
const listWidth = createAtom(Infinity)

/** For the `ref` of the element around a list. It is measured before its first paint. */
export function measureList(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  const observer = new ResizeObserver(() => {
    const width = element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    // Of a page that is hidden.
    if (width > 0) listWidth.set(width)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** What depends on the width of a list. It renders again only if that changes. */
export const useListWidth = <Result extends string | number | boolean>(select: (width: number) => Result): Result =>
  useSelector(listWidth, select)
