import { type Control, type FieldPath, type FieldValues, useFormState } from 'react-hook-form'
import { PasswordField } from './password-field'

interface NewPasswordFieldsProps<Values extends FieldValues> {
  control: Control<Values>
  /** Of the password and of its confirmation. */
  names: [FieldPath<Values>, FieldPath<Values>]
  labels: [string, string]
  required?: boolean
  /** The address of the account, for password managers; left out where the form asks for it or nobody knows it. */
  username?: string
  /** Checks one field again. */
  trigger: (name: FieldPath<Values>) => Promise<boolean>
}

/** A password that is being chosen, and its confirmation: a change of the one asks the other again whether it still matches. */
export function NewPasswordFields<Values extends FieldValues>(props: NewPasswordFieldsProps<Values>) {
  const { control, names, labels, required = true, username, trigger } = props
  const [password, confirmation] = names
  const { touchedFields } = useFormState({ control, name: confirmation })
  const common = { control, required, autoComplete: 'new-password' } as const
  return (
    <>
      {username !== undefined && <input hidden readOnly name="username" autoComplete="username" value={username} />}
      <PasswordField
        {...common}
        name={password}
        label={labels[0]}
        onBlur={() => {
          if (confirmation in touchedFields) void trigger(confirmation)
        }}
      />
      <PasswordField {...common} name={confirmation} label={labels[1]} />
    </>
  )
}
