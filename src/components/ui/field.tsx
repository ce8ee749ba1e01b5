import type { ReactNode } from 'react'

interface FieldFrameProps {
  /** The id of the input. */
  id: string
  label: string
  required?: boolean | undefined
  invalid: boolean
  /** Errors that are not shown elsewhere. */
  messages: readonly string[]
  /** Shown in the space for messages. */
  footnote?: ReactNode
  /** Renders the input, with the attributes that connect it to its messages. */
  children: (state: {
    'aria-invalid': boolean
    'aria-describedby': string
    'aria-required': boolean | undefined
  }) => ReactNode
}

/** Label, input and messages. Space is reserved for one message, so that it does not move buttons. */
export function FieldFrame({ id, label, required, invalid, messages, footnote, children }: FieldFrameProps) {
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
      {children({ 'aria-invalid': invalid, 'aria-describedby': messagesId, 'aria-required': required })}
      <div id={messagesId} className="min-h-6.5 pt-0.5 pb-1 leading-5 text-destructive">
        {messages.map((message) => (
          <p key={message}>{message}</p>
        ))}
        {footnote}
      </div>
    </div>
  )
}
