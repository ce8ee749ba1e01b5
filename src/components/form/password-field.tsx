import { type ComponentProps, useId } from 'react'
import type { FieldPath, FieldValues } from 'react-hook-form'
import { PasswordInput } from '../ui/password-input'
import { Field, type FieldProps } from './field'

interface PasswordFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  autoComplete: ComponentProps<typeof PasswordInput>['autoComplete']
  deps?: FieldPath<Values>[]
}

export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, autoComplete, deps = [] } = props
  const id = useId()
  return (
    <Field {...props} id={id} isShort>
      {(state) => (
        <PasswordInput {...control.register(name, { deps })} {...state} id={id} autoComplete={autoComplete} />
      )}
    </Field>
  )
}
