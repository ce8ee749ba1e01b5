import { type RefObject, useLayoutEffect } from 'react'
import { focusHeading } from '@/lib/focus-heading'

/** Focuses the heading of the page when the element is removed with the focus, which browsers drop. */
export function useFocusLeft(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element?.contains(document.activeElement)) focusHeading()
    }
  }, [ref])
}
