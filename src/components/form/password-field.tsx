import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Input } from '../ui/input'
import { Field, type FieldProps } from './field'

interface PasswordFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  autoComplete: 'current-password' | 'new-password'
  /** After the field has been checked. */
  onBlur?: () => void
}

export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, autoComplete, onBlur } = props
  const id = useId()
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  return (
    <Field {...props} id={id}>
      {(state) => (
        <div className="relative">
          <Input
            {...control.register(name, { ...(onBlur && { onBlur }) })}
            {...state}
            id={id}
            type={shown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            className="pr-11"
          />
          <button
            type="button"
            aria-label={shown ? 'Hide password' : 'Show password'}
            aria-controls={id}
            className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-r-md text-muted-foreground hover:text-foreground"
            onClick={() => setShown(!shown)}
          >
            <Icon aria-hidden className="size-4" />
          </button>
        </div>
      )}
    </Field>
  )
}
