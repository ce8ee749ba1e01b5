import { type RefObject, useLayoutEffect } from 'react'
import { focusHeading } from '@/lib/focus-heading'

/** When this goes away with the focus in it, the heading of the page takes the focus: browsers drop it. */
export function useFocusLeft(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element?.contains(document.activeElement)) focusHeading()
    }
  }, [ref])
}
