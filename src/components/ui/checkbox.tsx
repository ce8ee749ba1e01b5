import { clsx } from 'clsx'
import { type ComponentProps, useId } from 'react'

/** With forced colours, the browser draws the mark itself. */
const checkClass =
  'grid size-4 shrink-0 appearance-none place-content-center border border-input bg-background forced-colors:appearance-auto ' +
  'checked:border-primary checked:bg-primary pointer-coarse:size-6 ' +
  "before:size-2.5 pointer-coarse:before:size-3.5 before:scale-0 before:bg-primary-foreground before:content-[''] checked:before:scale-100 " +
  'forced-colors:before:hidden disabled:cursor-not-allowed disabled:opacity-50'

export function Checkbox(props: ComponentProps<'input'>) {
  return (
    <input
      {...props}
      type="checkbox"
      className={clsx(
        checkClass,
        'rounded before:[clip-path:polygon(14%_44%,0_65%,45%_100%,100%_16%,80%_0%,43%_62%)]',
        // Draws a dash. It is not in `checkClass`, because radio buttons are `:indeterminate` while none is chosen.
        'indeterminate:border-primary indeterminate:bg-primary indeterminate:before:scale-100 indeterminate:before:[clip-path:inset(38%_0)]',
      )}
    />
  )
}

export function Radio({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={clsx(checkClass, 'rounded-full before:rounded-full', className)} />
}

export function LabelledCheckbox({ label, className, ...props }: ComponentProps<'input'> & { label: string }) {
  const id = useId()
  return (
    <div data-short className={clsx('flex min-h-8 items-center gap-2 self-start pointer-coarse:min-h-11', className)}>
      <Checkbox {...props} id={id} />
      <label htmlFor={id} className="py-1 font-medium">
        {label}
      </label>
    </div>
  )
}
