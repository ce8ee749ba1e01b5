import type { ReactNode } from 'react'
import { type Control, type FieldError, type FieldPath, type FieldValues, get, useFormState } from 'react-hook-form'

export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** `unmarked` in a form where each field is. */
  required?: boolean | 'unmarked'
  /** Shown below the input, in the space for messages. */
  footnote?: ReactNode
}

interface FieldFrameProps<Values extends FieldValues> extends FieldProps<Values> {
  /** The id of the input. */
  id: string
  /** Renders the input, with the attributes that connect it to its messages. */
  children: (state: {
    'aria-invalid': boolean
    'aria-describedby': string
    'aria-required': boolean | undefined
  }) => ReactNode
}

/**
 * Label, input and messages. Only this component renders when the messages change. Space is reserved for one message, so
 * that it does not move buttons. It is nearer to its field than to the next label.
 */
export function Field<Values extends FieldValues>(props: FieldFrameProps<Values>) {
  const { control, name, label, required, footnote, id, children } = props
  const { errors } = useFormState({ control, name, exact: true })
  const error = get(errors, name) as FieldError | undefined
  const messagesId = `${id}-messages`
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
        {required === true && (
          <span aria-hidden className="text-destructive">
            {' *'}
          </span>
        )}
      </label>
      {children({
        'aria-invalid': error !== undefined,
        'aria-describedby': messagesId,
        'aria-required': required === undefined ? undefined : required !== false,
      })}
      <div id={messagesId} className="min-h-9 pt-0.5 pb-3.5 leading-5 text-destructive">
        {messagesOf(error).map((message) => (
          <p key={message}>{message}</p>
        ))}
        {footnote}
      </div>
    </div>
  )
}

/** Every message of a field, each once, in the order of its rules. */
function messagesOf({ types, message }: Partial<FieldError> = {}): string[] {
  const all = types === undefined ? [message] : Object.values(types).flat()
  return [...new Set(all)].filter((text) => typeof text === 'string' && text !== '') as string[]
}
