import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from './field'

export function CheckboxField<Values extends FieldValues>({ control, name, label }: FieldProps<Values>) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <input
        {...control.register(name)}
        id={id}
        type="checkbox"
        className="size-4 accent-primary pointer-coarse:size-5"
      />
      <label htmlFor={id} className="py-1 font-medium">
        {label}
      </label>
    </div>
  )
}
