import type { ComponentProps, ReactNode } from 'react'
import { type Control, type FieldPath, type FieldValues, get, useFormState } from 'react-hook-form'
import { messagesOf } from '@/lib/validation/messages-of'
import { FieldFrame } from '../ui/field'

export interface FieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  required?: boolean
  /** Shown below the input, in the space for messages. */
  footnote?: ReactNode
}

type FieldFrameProps<Values extends FieldValues> = FieldProps<Values> &
  Pick<ComponentProps<typeof FieldFrame>, 'id' | 'children'>

/** A form field with its messages. Only this component renders when they change. */
export function Field<Values extends FieldValues>(props: FieldFrameProps<Values>) {
  const { control, name, label, required, footnote, id, children } = props
  const { errors } = useFormState({ control, name, exact: true })
  return (
    <FieldFrame
      id={id}
      label={label}
      required={required}
      invalid={get(errors, name) !== undefined}
      messages={messagesOf(errors, name)}
      footnote={footnote}
    >
      {children}
    </FieldFrame>
  )
}
