import { useRef } from 'react'
import { Button, type ButtonProps } from './ui/button'
import { useFocusLeft } from './use-focus-left'

/** A button that disappears after its action. The heading of the page then gets the focus. */
export function DisappearingButton(props: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusLeft(button)
  return <Button {...props} ref={button} />
}
