import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Input } from './input'

interface DatePickerProps extends Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange'> {
  /** A day such as `2026-11-21`, or empty. */
  value: string
  /** Gets whole days only, or empty text. */
  onPick: (day: string) => void
}

/** The native date field. */
export function DatePicker({ value, onPick, ...props }: DatePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  // Uncontrolled, because React's `value` would reset a partly typed date.
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value
  }, [value])
  return (
    <Input
      // Rejects partly typed years.
      min="2000-01-01"
      max="9999-12-31"
      {...props}
      ref={input}
      type="date"
      defaultValue={value}
      onChange={({ target }) => {
        if (target.validity.valid) onPick(target.value)
      }}
    />
  )
}
