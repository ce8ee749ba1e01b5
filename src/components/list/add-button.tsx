import { Button, type ButtonProps } from '../ui/button'

/** Adds a row to a list: in the header of the page; on a phone, in a bar below the rows, within reach of the thumb. */
export function AddButton(props: ButtonProps) {
  return (
    <div className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-background max-md:px-4 max-md:pt-2 max-md:pb-[calc(0.5rem+env(safe-area-inset-bottom))] max-md:in-[main:has([data-selection-bar])]:hidden print:hidden">
      <Button {...props} className="max-md:w-full" />
    </div>
  )
}
