import { clsx } from 'clsx'
import { type ReactNode, useId } from 'react'
import { type Control, type FieldError, type FieldPath, type FieldValues, get, useFormState } from 'react-hook-form'

export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** `unmarked` in a form whose fields are all required. */
  required?: boolean | 'unmarked'
  /** Shown below the input, in room that is reserved even while it renders nothing. */
  footnote?: ReactNode
  isShort?: boolean
}

interface FieldFrameProps<Values extends FieldValues> extends FieldProps<Values> {
  children: (input: {
    id: string
    'aria-invalid': boolean
    'aria-describedby': string
    'aria-required': boolean | undefined
  }) => ReactNode
}

/** Puts messages beside the label. Two lines fit, because they extend into the space above the label. */
const besideLabel =
  'col-start-2 row-start-1 -mt-3 mb-1.5 self-end text-right text-xs leading-3.5 text-balance ' +
  '@max-3xs:col-span-full @max-3xs:col-start-1 @max-3xs:row-start-3 @max-3xs:mt-0 @max-3xs:mb-0 @max-3xs:min-h-8 @max-3xs:pt-1 @max-3xs:text-left'

/** Has room for messages, so that they move no buttons. Only this component renders when messages change. */
export function Field<Values extends FieldValues>(props: FieldFrameProps<Values>) {
  const { control, name, label, required, footnote, isShort, children } = props
  const id = useId()
  const { errors } = useFormState({ control, name, exact: true })
  const error = get(errors, name) as FieldError | undefined
  const messagesId = `${id}-messages`
  const noteId = `${id}-note`
  const hasNote = Boolean(footnote)
  return (
    <div
      data-short={isShort || undefined}
      className={clsx(
        'grid grid-cols-[auto_minmax(6rem,1fr)] content-start gap-x-3 @max-3xs:grid-cols-1',
        !hasNote && 'pb-3 @max-3xs:pb-0',
      )}
    >
      <label htmlFor={id} className="mb-1 self-end leading-5 font-medium">
        {label}
        {required === true && (
          <span aria-hidden className="text-destructive">
            {' *'}
          </span>
        )}
      </label>
      <div className="col-span-full row-start-2 min-w-0">
        {children({
          id,
          'aria-invalid': error !== undefined,
          'aria-describedby': !hasNote ? messagesId : error ? `${messagesId} ${noteId}` : noteId,
          'aria-required': required === undefined ? undefined : required !== false,
        })}
      </div>
      <div id={messagesId} className={clsx('wrap-anywhere text-destructive', besideLabel)}>
        {messagesOf(error).map((message) => (
          <p key={message}>{message}</p>
        ))}
      </div>
      {hasNote && (
        <div id={noteId} className="col-span-full min-h-6 py-0.5 leading-5 wrap-anywhere text-destructive">
          {footnote}
        </div>
      )}
    </div>
  )
}

function messagesOf({ types, message }: Partial<FieldError> = {}): string[] {
  const all = types === undefined ? [message] : Object.values(types).flat()
  return [...new Set(all)].filter((text) => typeof text === 'string' && text !== '') as string[]
}
