import { useId, useLayoutEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { fromLocalText, isInstant, toLocalText, zoneText } from '@/lib/time-text'
import { Input } from '../ui/input'
import { Field, type FieldProps } from './field'

/** Of a form while a part of the time is missing. It is no time, so the rule of the field rejects it. */
const INCOMPLETE = 'incomplete'

/** @param before the value of the form */
function read({ value, validity }: HTMLInputElement, before: string): string {
  if (value === '') return validity.badInput ? INCOMPLETE : ''
  return fromLocalText(value, before) ?? INCOMPLETE
}

/** A time, typed and shown in the time zone of the browser. Its value in the form is that of the contract. */
export function TimeField<Values extends FieldValues>(props: FieldProps<Values>) {
  const { control, name } = props
  const id = useId()
  const { field } = useController({ control, name })
  const value: string = field.value
  const input = useRef<HTMLInputElement>(null)
  const show = (): void => {
    if (input.current) input.current.value = isInstant(value) ? toLocalText(value) : ''
  }
  // Uncontrolled, because React's `value` would reset a partly typed time.
  useLayoutEffect(() => {
    if (input.current && read(input.current, value) !== value) show()
  })
  return (
    <Field {...props} id={id} footnote={<p className="text-muted-foreground">{`Time zone: ${zoneText(value)}`}</p>}>
      {(state) => (
        <Input
          {...state}
          ref={(element) => {
            input.current = element
            field.ref(element)
          }}
          id={id}
          name={name}
          type="datetime-local"
          // Years have four digits.
          max="9999-12-31T23:59"
          onChange={({ target }) => field.onChange(read(target, value))}
          onBlur={({ target }) => {
            // A partly typed time, and one that clocks skip.
            if (read(target, value) === value && value !== INCOMPLETE) show()
            else field.onChange(read(target, value))
            field.onBlur()
          }}
        />
      )}
    </Field>
  )
}
