import { type SyntheticEvent, useLayoutEffect, useRef } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { FIRST_DAY, INCOMPLETE, LAST_DAY } from '@/lib/day-or-time'
import { Input } from '@/components/ui/input'
import { Field, type FieldProps } from '@/components/form/field'

interface NativeFieldProps<Values extends FieldValues> extends FieldProps<Values> {
  type: 'date' | 'datetime-local'
  toValue?: (text: string, before: string) => string
  toText?: (value: string) => string
}

const bounds = {
  date: { min: FIRST_DAY, max: LAST_DAY },
  'datetime-local': { min: `${FIRST_DAY}T00:00`, max: `${LAST_DAY}T23:59` },
}

/** While a part of the input is missing, the form has the value `INCOMPLETE`, which validation refuses to save. */
export function NativeField<Values extends FieldValues>(props: NativeFieldProps<Values>) {
  const { control, name, type, toValue = String, toText = String } = props
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
  // Key events also call this function, because browsers fire no `input` event for the first typed part.
  const take = ({ currentTarget }: SyntheticEvent<HTMLInputElement>): void => {
    const now = read(currentTarget)
    if (now !== value) field.onChange(now)
  }

  // Uncontrolled, because React's `value` would reset a partly typed date.
  useLayoutEffect(() => {
    if (input.current && read(input.current) !== value) show()
    // oxlint-disable-next-line react/exhaustive-deps -- for each value
  }, [value])
  return (
    <Field {...props} isShort>
      {(state) => (
        <Input
          {...state}
          ref={(element) => {
            input.current = element
            field.ref(element)
          }}
          name={name}
          type={type}
          {...bounds[type]}
          onChange={take}
          onKeyDown={take}
          onKeyUp={take}
          onBlur={(event) => {
            take(event)
            // If daylight saving time skips the typed time, the form has a different time, which the field now shows.
            if (value !== INCOMPLETE && read(event.currentTarget) === value) show()
            field.onBlur()
          }}
        />
      )}
    </Field>
  )
}
