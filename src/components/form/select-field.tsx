import { useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { choiceText } from '@/lib/choice-text'
import { Select } from '../ui/select'
import { Field, type FieldProps } from './field'

interface SelectFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Null means no choice. */
  values: readonly (string | null)[]
  textOf?: (value: string) => string
}

export function SelectField<Values extends FieldValues>(props: SelectFieldProps<Values>) {
  const { values, textOf = choiceText, control, name } = props
  const id = useId()
  return (
    <Field {...props} id={id} isShort>
      {(state) => (
        <Select {...control.register(name)} {...state} id={id}>
          {values.map((value) => (
            <option key={value} value={value ?? ''}>
              {value === null ? 'None' : textOf(value)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
