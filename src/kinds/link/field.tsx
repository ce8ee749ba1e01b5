import { type FieldValues, useController } from 'react-hook-form'
import type { Tag } from '@/lib/resources'
import { Field, type FieldProps } from '@/components/form/field'
import { RowPicker } from './picker'

/** The value is the id of a row. Empty text removes the link. */
export function LinkField<Values extends FieldValues>({ to, ...props }: FieldProps<Values> & { to: Tag }) {
  const { control, name, label } = props
  const { field } = useController({ control, name })
  return (
    <Field {...props}>
      {(state) => (
        <RowPicker
          to={to}
          label={label}
          value={String(field.value)}
          onChange={field.onChange}
          field={{ ...state, name, ref: field.ref, onBlur: field.onBlur }}
        />
      )}
    </Field>
  )
}
