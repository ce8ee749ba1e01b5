import { clsx } from 'clsx'
import { type ComponentProps, useId } from 'react'
import { Checkbox } from './checkbox'

/** @param className of its line */
export function LabelledCheckbox({
  label,
  className,
  ...props
}: Omit<ComponentProps<'input'>, 'id'> & { label: string }) {
  const id = useId()
  return (
    <div className={clsx('flex min-h-8 items-center gap-2 pointer-coarse:min-h-11', className)}>
      <Checkbox {...props} id={id} />
      <label htmlFor={id} className="py-1 font-medium">
        {label}
      </label>
    </div>
  )
}
