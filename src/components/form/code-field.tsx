import { type ChangeEvent, type ReactNode, useId, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { toAppCode } from '@/lib/validation/rules'
import { Input } from '../ui/input'
import { Field, type FieldProps } from './field'

interface CodeFieldProps<Values extends FieldValues> extends Omit<FieldProps<Values>, 'label' | 'required'> {
  takesRecoveryCodes?: boolean
  /** Called when a code of an authenticator app is complete, once for each code. */
  onComplete: () => void
  footnote: ReactNode
}

export function CodeField<Values extends FieldValues>(props: CodeFieldProps<Values>) {
  const { control, name, takesRecoveryCodes = false, onComplete } = props
  const id = useId()
  const complete = useRef<string>(undefined)
  const onChange = ({ target: { value } }: ChangeEvent<HTMLInputElement>): void => {
    const code = toAppCode(value)
    const isNew = code !== undefined && code !== complete.current
    complete.current = code
    if (isNew) onComplete()
  }
  return (
    <Field {...props} label="Code" required="unmarked" id={id}>
      {(state) => (
        <Input
          {...control.register(name, { onChange })}
          {...state}
          id={id}
          autoComplete="one-time-code"
          inputMode={takesRecoveryCodes ? 'text' : 'numeric'}
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          className="font-mono tracking-wider"
        />
      )}
    </Field>
  )
}
