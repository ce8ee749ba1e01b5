import { useRef } from 'react'
import { Button, type ButtonProps } from './ui/button'
import { useFocusLeft } from './use-focus-left'

/** A button that goes away when its work is done. The heading of the page takes its focus. */
export function PassingButton(props: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useFocusLeft(button)
  return <Button {...props} ref={button} />
}
