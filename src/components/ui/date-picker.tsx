import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { FIRST_DAY, INCOMPLETE, isDay, LAST_DAY, problemOf } from '@/lib/day-or-time'
import { Input } from './input'

interface DatePickerProps extends Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'onBlur'> {
  value: string
  /** Called with a complete day, or with empty text. */
  onPick: (day: string) => void
  /** Called with a message when the user leaves an invalid day, and with `undefined` when the day is valid again. */
  onProblem?: ((problem: string | undefined) => void) | undefined
}

export function DatePicker({ value, onPick, onProblem, ...props }: DatePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  // Uncontrolled, because React's `value` would reset a partly typed date.
  useLayoutEffect(() => {
    if (input.current && readDay(input.current) !== value) input.current.value = value
    onProblem?.(undefined)
    // oxlint-disable-next-line react/exhaustive-deps -- for each value
  }, [value])

  return (
    <Input
      min={FIRST_DAY}
      max={LAST_DAY}
      {...props}
      ref={input}
      type="date"
      defaultValue={value}
      onChange={({ target }) => {
        const day = readDay(target)
        // While a year is being typed, browsers report an early one, such as 0002.
        if (day !== '' && !isDay(day)) return
        onProblem?.(undefined)
        onPick(day)
      }}
      onBlur={({ target }) => {
        const day = readDay(target)
        if (day !== '' && !isDay(day)) onProblem?.(problemOf(day, 'date'))
      }}
    />
  )
}

const readDay = ({ value, validity }: HTMLInputElement): string => (validity.badInput ? INCOMPLETE : value)
