import { type HTMLAttributes, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Input } from '../ui/input'
import { Textarea } from '../ui/textarea'
import { Field, type FieldProps } from './field'

interface TextFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Other types, such as `number`, hide invalid text from scripts. */
  type?: 'text' | 'email' | undefined
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  autoComplete?: string
  multiline?: boolean
}

export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { control, name, type, inputMode, autoComplete, multiline = false } = props
  const id = useId()
  const native = { id, autoComplete, dir: 'auto' }
  return (
    <Field {...props} id={id}>
      {(state) =>
        multiline ? (
          <Textarea {...control.register(name)} {...native} {...state} />
        ) : (
          <Input {...control.register(name)} {...native} {...state} type={type} inputMode={inputMode} />
        )
      }
    </Field>
  )
}
