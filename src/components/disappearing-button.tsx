import { type RefObject, useLayoutEffect, useRef } from 'react'
import { focusHeading } from '@/browser/focus-heading'
import { Button, type ButtonProps } from './ui/button'

export function DisappearingButton(props: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusLeft(button)
  return <Button {...props} ref={button} />
}

/** Focuses the heading of the page when the focused element is removed, because browsers drop the focus. */
export function useFocusLeft(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element?.contains(document.activeElement)) focusHeading()
    }
  }, [ref])
}
