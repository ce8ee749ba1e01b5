import type { FieldValues } from 'react-hook-form'
import type { FieldProps } from '@/components/form/field'
import { TextField } from '@/components/form/text-field'

interface NumberFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Of the contract: of a whole number or of a decimal. */
  bounds: { minimum: number } | { 'x-decimal': { minimum: string } }
}

/** A number, which is typed as text, as its rule refuses what is no number instead of dropping it. */
export function NumberField<Values extends FieldValues>({ bounds, ...props }: NumberFieldProps<Values>) {
  const isDecimal = 'x-decimal' in bounds
  const minimum = Number(isDecimal ? bounds['x-decimal'].minimum : bounds.minimum)
  // The keys for digits have no minus sign on some phones.
  const inputMode = minimum < 0 ? undefined : isDecimal ? 'decimal' : 'numeric'
  return <TextField {...props} inputMode={inputMode} autoComplete="off" isShort />
}
