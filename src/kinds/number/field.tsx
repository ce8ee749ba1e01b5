import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from '@/components/form/field'
import { TextField } from '@/components/form/fields'

type Bounds = { minimum: number } | { 'x-decimal': { minimum: string } }

/** A text field, because a number input would drop invalid text before validation can refuse it. */
export function NumberField<Values extends FieldValues>({ bounds, ...props }: FieldProps<Values> & { bounds: Bounds }) {
  const isDecimal = 'x-decimal' in bounds
  const minimum = Number(isDecimal ? bounds['x-decimal'].minimum : bounds.minimum)
  // Some phones have no minus sign on their numeric keyboard.
  const inputMode = minimum < 0 ? undefined : isDecimal ? 'decimal' : 'numeric'
  return <TextField {...props} inputMode={inputMode} autoComplete="off" isShort />
}
