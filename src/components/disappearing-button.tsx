import { focusHeading } from '@/browser/focus-heading'
import { Button, type ButtonProps } from './ui/button'

export function DisappearingButton(props: ButtonProps) {
  return <Button {...props} ref={keepFocus} />
}

/** A `ref`. Focuses the heading of the page when the element is removed with the focus, which browsers would drop. */
export function keepFocus(element: HTMLElement | null): () => void {
  return () => {
    if (element?.contains(document.activeElement)) focusHeading()
  }
}
