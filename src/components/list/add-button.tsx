import { Button, type ButtonProps } from '../ui/button'

/** Adds a row to a list: in the header of the page; on a phone, within reach of the thumb. */
export function AddButton(props: ButtonProps) {
  return (
    <Button
      {...props}
      className="max-md:fixed max-md:right-4 max-md:bottom-[calc(1rem+env(safe-area-inset-bottom))] max-md:z-20 max-md:h-12 max-md:rounded-full max-md:px-5 max-md:shadow-lg max-md:in-[main:has([data-selection-bar])]:hidden"
    />
  )
}
