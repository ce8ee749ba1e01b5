import { clsx } from 'clsx'
import { type ComponentProps, useId } from 'react'
import { Checkbox } from './checkbox'

export function LabelledCheckbox({
  label,
  className,
  isShort,
  ...props
}: Omit<ComponentProps<'input'>, 'id'> & { label: string; isShort?: boolean }) {
  const id = useId()
  return (
    <div
      data-short={isShort || undefined}
      className={clsx('flex min-h-8 items-center gap-2 self-start pointer-coarse:min-h-11', className)}
    >
      <Checkbox {...props} id={id} />
      <label htmlFor={id} className="py-1 font-medium">
        {label}
      </label>
    </div>
  )
}
