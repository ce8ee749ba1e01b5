import { type ComponentProps, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { PasswordInput } from '../ui/password-input'
import { Field, type FieldProps } from './field'

interface PasswordFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  autoComplete: ComponentProps<typeof PasswordInput>['autoComplete']
  /** Called after validation. */
  onBlur?: () => void
}

export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, autoComplete, onBlur } = props
  const id = useId()
  return (
    <Field {...props} id={id}>
      {(state) => (
        <PasswordInput
          {...control.register(name, { ...(onBlur && { onBlur }) })}
          {...state}
          id={id}
          autoComplete={autoComplete}
        />
      )}
    </Field>
  )
}
