import { type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { INCOMPLETE } from '@/lib/day-or-time'
import { Input } from '@/components/ui/input'
import { Field, type FieldProps } from '@/components/form/field'

interface NativeFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  type: 'date' | 'datetime-local'
  min: string
  max: string
  /** The value of the form for the text of the input. @param before the value until now */
  toValue: (text: string, before: string) => string
  /** The text of the input for a value. The browser takes other texts as none. */
  toText: (value: string) => string
}

/**
 * A date or time of the browser. Its input has no text while a part is missing; the form then has a value that its rule
 * refuses, so that nothing else is saved in its place.
 */
export function NativeField<Values extends FieldValues>(props: NativeFieldProps<Values>) {
  const { control, name, type, min, max, toValue, toText } = props
  const id = useId()
  const { field } = useController({ control, name })
  const value: string = field.value
  const input = useRef<HTMLInputElement>(null)

  function read({ value: text, validity }: HTMLInputElement): string {
    if (text === '') return validity.badInput ? INCOMPLETE : ''
    return toValue(text, value)
  }
  const show = (): void => {
    if (input.current) input.current.value = toText(value)
  }
  // The browser tells nothing of a part that is typed first.
  const take = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => {
    const now = read(currentTarget)
    if (now !== value) field.onChange(now)
  }

  // Uncontrolled, because React's `value` would reset what is partly typed.
  useLayoutEffect(() => {
    if (input.current && read(input.current) !== value) show()
    // oxlint-disable-next-line react/exhaustive-deps -- for each value
  }, [value])
  return (
    <Field {...props} id={id} isShort>
      {(state) => (
        <Input
          {...state}
          ref={(element) => {
            input.current = element
            field.ref(element)
          }}
          id={id}
          name={name}
          type={type}
          min={min}
          max={max}
          onChange={take}
          onKeyDown={take}
          onKeyUp={take}
          onBlur={(event) => {
            take(event)
            // A time that clocks skip is another one.
            if (value !== INCOMPLETE && read(event.currentTarget) === value) show()
            field.onBlur()
          }}
        />
      )}
    </Field>
  )
}
