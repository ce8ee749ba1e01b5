import type { ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, useFormState } from 'react-hook-form'
import { messagesOf } from '@/lib/validation/messages-of'

export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  required?: boolean
}

interface FieldFrameProps<Values extends FieldValues> extends FieldProps<Values> {
  id: string
  /** The input, given what ties it to its messages. */
  children: (state: {
    'aria-invalid': boolean
    'aria-describedby': string
    'aria-required': boolean | undefined
  }) => ReactNode
}

/** Label, input and messages. There is always room for one message, so that none moves what stands below. */
export function Field<Values extends FieldValues>(props: FieldFrameProps<Values>) {
  const { control, name, label, required, id, children } = props
  const { errors } = useFormState({ control, name, exact: true })
  const messages = messagesOf(errors, name)
  const messagesId = `${id}-messages`
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
        {required && (
          <span aria-hidden className="text-destructive">
            {' *'}
          </span>
        )}
      </label>
      {children({ 'aria-invalid': messages.length > 0, 'aria-describedby': messagesId, 'aria-required': required })}
      <div id={messagesId} className="min-h-6 pt-0.5 text-destructive">
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
    </div>
  )
}
