import { useId, useLayoutEffect, useRef, useState } from 'react'
import { Input } from '../ui/input'
import { FilterField } from './filter-field'
import { FilterSelect } from './filter-select'

interface Numbers<Value> {
  from: Value | undefined
  to: Value | undefined
}

interface FilterNumbersProps<Value> extends Numbers<Value> {
  label: string
  /** The value of a typed text. `undefined` if it has none. */
  toValue: (text: string) => Value | undefined
  onChange: (numbers: Numbers<Value>) => void
}

/** A filter by the numbers from … to …. Both are included. */
export function FilterNumbers<Value extends string | number>(props: FilterNumbersProps<Value>) {
  const { label, from, to, toValue, onChange } = props
  const [isWanted, setWanted] = useState(false)
  const isRange = isWanted || from !== undefined || to !== undefined
  const change = (numbers: Numbers<Value>): void => {
    // The fields stay when both are empty.
    setWanted(true)
    onChange(numbers)
  }
  return (
    <>
      <FilterSelect<'range'>
        label={label}
        value={isRange ? 'range' : undefined}
        options={[
          ['', 'Any'],
          ['range', 'From … to …'],
        ]}
        onChoose={(chosen) => {
          setWanted(chosen === 'range')
          if (chosen === undefined) onChange({ from: undefined, to: undefined })
        }}
      />
      {isRange && (
        <>
          <FilterNumber label="From" value={from} toValue={toValue} onType={(typed) => change({ from: typed, to })} />
          <FilterNumber label="To" value={to} toValue={toValue} onType={(typed) => change({ from, to: typed })} />
        </>
      )}
    </>
  )
}

interface FilterNumberProps<Value> extends Pick<FilterNumbersProps<Value>, 'label' | 'toValue'> {
  value: Value | undefined
  onType: (value: Value | undefined) => void
}

/** Filters when the field is left, or on Enter. A text without a value is marked, and filters nothing. */
function FilterNumber<Value extends string | number>({ label, value, toValue, onType }: FilterNumberProps<Value>) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [isInvalid, setInvalid] = useState(false)
  const shown = value === undefined ? '' : String(value)
  // Uncontrolled, because the value changes only when the field is left.
  useLayoutEffect(() => {
    if (input.current) input.current.value = shown
  }, [shown])
  function take(text: string): void {
    const typed = toValue(text)
    setInvalid(typed === undefined && text !== '')
    if (typed !== value && (typed !== undefined || text === '')) onType(typed)
  }
  return (
    <FilterField id={id} label={label} isActive={value !== undefined}>
      <Input
        ref={input}
        id={id}
        inputMode="decimal"
        aria-invalid={isInvalid}
        defaultValue={shown}
        className="chips:w-28"
        onBlur={({ target }) => take(target.value.trim())}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') take(currentTarget.value.trim())
        }}
      />
    </FilterField>
  )
}
