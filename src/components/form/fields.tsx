import { type ChangeEvent, type ComponentProps, type HTMLAttributes, useRef } from 'react'
import { type FieldPath, type FieldValues, useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { choiceText } from '@/lib/text'
import { toAppCode } from '@/lib/validation/rules'
import { errorMessage, errorNote } from '@/data/api/errors'
import { Input, Select, Textarea } from '../ui/input'
import { Field, type FieldProps } from './field'
import type { Form } from './use-form'
import { LabelledCheckbox } from '../ui/checkbox'
import { PasswordInput } from '../ui/password-input'
import { Button } from '../ui/button'

interface TextFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  /** Other types, such as `number`, hide invalid text from scripts. */
  type?: 'text' | 'email' | undefined
  inputMode?: HTMLAttributes<HTMLInputElement>['inputMode']
  autoComplete?: string
  multiline?: boolean
}

export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { control, name, type, inputMode, autoComplete, multiline = false } = props
  const native = { autoComplete, dir: 'auto' }
  return (
    <Field {...props}>
      {(input) =>
        multiline ? (
          <Textarea {...control.register(name)} {...native} {...input} />
        ) : (
          <Input {...control.register(name)} {...native} {...input} type={type} inputMode={inputMode} />
        )
      }
    </Field>
  )
}

interface SelectFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  values: readonly (string | null)[]
  textOf?: (value: string) => string
}

export function SelectField<Values extends FieldValues>(props: SelectFieldProps<Values>) {
  const { values, textOf = choiceText, control, name } = props
  return (
    <Field {...props} isShort>
      {(input) => (
        <Select {...control.register(name)} {...input}>
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

export function CheckboxField<Values extends FieldValues>({ control, name, label }: FieldProps<Values>) {
  return <LabelledCheckbox {...control.register(name)} label={label} className="last:mb-3" />
}

interface PasswordFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  autoComplete: ComponentProps<typeof PasswordInput>['autoComplete']
  deps?: FieldPath<Values>[]
}

export function PasswordField<Values extends FieldValues>(props: PasswordFieldProps<Values>) {
  const { control, name, autoComplete, deps = [] } = props
  return (
    <Field {...props} isShort>
      {(input) => <PasswordInput {...control.register(name, { deps })} {...input} autoComplete={autoComplete} />}
    </Field>
  )
}

interface NewPasswordFieldsProps<Values extends FieldValues> extends FieldProps<Values> {
  /** The account's email address, for password managers. Absent if the form has a field for it. */
  username?: string
}

/** A new password and its confirmation, the field `confirm_password`. */
export function NewPasswordFields<Values extends FieldValues>(props: NewPasswordFieldsProps<Values>) {
  const { control, name, label, required = true, username } = props
  const confirmation = 'confirm_password' as FieldPath<Values>
  const { touchedFields } = useFormState({ control, name: confirmation })
  const common = { control, required, autoComplete: 'new-password' } as const
  return (
    // A form with two columns shows both fields in one row, whatever precedes them.
    <div className="col-span-full grid grid-cols-subgrid">
      {username !== undefined && <input hidden readOnly name="username" autoComplete="username" value={username} />}
      <PasswordField {...common} name={name} label={label} deps={confirmation in touchedFields ? [confirmation] : []} />
      <PasswordField {...common} name={confirmation} label="Confirm Password" />
    </div>
  )
}

interface CodeFieldProps<Values extends FieldValues> extends Omit<FieldProps<Values>, 'label' | 'required'> {
  takesRecoveryCodes?: boolean
  /** Called when a code of an authenticator app is complete, once for each code. */
  onComplete: () => void
}

export function CodeField<Values extends FieldValues>(props: CodeFieldProps<Values>) {
  const { control, name, takesRecoveryCodes = false, onComplete } = props
  const complete = useRef<string>(undefined)
  const onChange = ({ target: { value } }: ChangeEvent<HTMLInputElement>): void => {
    const code = toAppCode(value)
    const isNew = code !== undefined && code !== complete.current
    complete.current = code
    if (isNew) onComplete()
  }
  return (
    <Field {...props} label="Code" required="unmarked">
      {(input) => (
        <Input
          {...control.register(name, { onChange })}
          {...input}
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

export function SubmitError({ error }: { error: unknown }) {
  return (
    <p role="alert" className="whitespace-pre-line">
      {error !== null && [errorMessage(error), errorNote(error)].filter(Boolean).join('\n')}
    </p>
  )
}

export type SaveRule = 'valid' | 'changed' | 'valid and changed'

interface SaveButtonProps<Values extends FieldValues, Output> {
  form: Form<Values, Output>
  rule?: SaveRule | undefined
  label?: string | undefined
  pending: boolean
  blocked?: boolean
}

/** Validates on every key. `isValid` changes on blur, which would swallow the first click on the disabled button. */
export function SaveButton<Values extends FieldValues, Output>(props: SaveButtonProps<Values, Output>) {
  const { form, rule = 'valid', label = 'Save', pending, blocked = false } = props
  const { control, schema } = form
  const values = useWatch({ control })
  const { isDirty } = useFormState({ control })
  const enabled = (rule === 'changed' || z.safeParse(schema, values).success) && (rule === 'valid' || isDirty)
  return (
    <Button type="submit" disabled={blocked || !enabled} pending={pending}>
      {label}
    </Button>
  )
}
