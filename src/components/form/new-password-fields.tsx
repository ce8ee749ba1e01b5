import { type Control, type FieldPath, type FieldValues, useFormState } from 'react-hook-form'
import { PasswordField } from './password-field'

interface NewPasswordFieldsProps<Values extends FieldValues> {
  control: Control<Values>
  names: [FieldPath<Values>, FieldPath<Values>]
  labels: [string, string]
  required?: boolean
  /** The account's email address, for password managers. Absent if the form has a field for it. */
  username?: string
}

export function NewPasswordFields<Values extends FieldValues>(props: NewPasswordFieldsProps<Values>) {
  const { control, names, labels, required = true, username } = props
  const [password, confirmation] = names
  const { touchedFields } = useFormState({ control, name: confirmation })
  const common = { control, required, autoComplete: 'new-password' } as const
  return (
    // A form with two columns shows both fields in one row, whatever precedes them.
    <div className="col-span-full grid grid-cols-subgrid">
      {username !== undefined && <input hidden readOnly name="username" autoComplete="username" value={username} />}
      <PasswordField
        {...common}
        name={password}
        label={labels[0]}
        deps={confirmation in touchedFields ? [confirmation] : []}
      />
      <PasswordField {...common} name={confirmation} label={labels[1]} />
    </div>
  )
}
