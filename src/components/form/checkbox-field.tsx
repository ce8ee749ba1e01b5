import type { FieldValues } from 'react-hook-form'
import { LabelledCheckbox } from '../ui/labelled-checkbox'
import type { FieldProps } from './field'

export function CheckboxField<Values extends FieldValues>({ control, name, label }: FieldProps<Values>) {
  return <LabelledCheckbox {...control.register(name)} label={label} isShort className="last:mb-3" />
}
