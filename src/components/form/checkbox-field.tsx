import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Checkbox } from '../ui/checkbox'
import type { FieldProps } from './field'

export function CheckboxField<Values extends FieldValues>({ control, name, label }: FieldProps<Values>) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2 last:mb-3 pointer-coarse:min-h-11">
      <Checkbox {...control.register(name)} id={id} />
      <label htmlFor={id} className="py-1 font-medium">
        {label}
      </label>
    </div>
  )
}
