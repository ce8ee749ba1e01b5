import { useLayoutEffect, useRef, useState } from 'react'
import { Input } from '@/components/ui/input'
import type { Typed } from '@/lib/number-text'
import { FilterField } from '@/components/list/filter-field'
import { endsText, FilterSelect } from '@/components/list/filter-select'

interface Numbers<Value> {
  from: Value | undefined
  to: Value | undefined
}

interface FilterNumbersProps<Value> extends Numbers<Value> {
  label: string
  read: (typed: string) => Typed<Value>
  onChange: (numbers: Numbers<Value>) => void
}

export function FilterNumbers<Value extends string | number>(props: FilterNumbersProps<Value>) {
  const { label, from, to, read, onChange } = props
  const [isWanted, setWanted] = useState(false)
  const isRange = isWanted || from !== undefined || to !== undefined
  const change = (numbers: Numbers<Value>): void => {
    // The fields stay visible even when both are empty.
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
        ends={endsText(from, to)}
        onChoose={(chosen) => {
          setWanted(chosen === 'range')
          if (chosen === undefined) onChange({ from: undefined, to: undefined })
        }}
      />
      {isRange && (
        <>
          <FilterNumber label="From" value={from} read={read} onType={(typed) => change({ from: typed, to })} />
          <FilterNumber label="To" value={to} read={read} onType={(typed) => change({ from, to: typed })} />
        </>
      )}
    </>
  )
}

interface FilterNumberProps<Value> extends Pick<FilterNumbersProps<Value>, 'label' | 'read'> {
  value: Value | undefined
  onType: (value: Value | undefined) => void
}

/** Filters when the field is left, or on Enter. Invalid text shows a message and does not filter. */
function FilterNumber<Value extends string | number>({ label, value, read, onType }: FilterNumberProps<Value>) {
  const input = useRef<HTMLInputElement>(null)
  /** The problem of the typed text, and the value that was shown before it. */
  const [refused, setRefused] = useState<{ over: string; problem: string | undefined }>()
  const shown = value === undefined ? '' : String(value)
  const problem = refused?.over === shown ? refused.problem : undefined
  // Uncontrolled, because the value changes only when the field is left.
  useLayoutEffect(() => {
    if (input.current) input.current.value = shown
  }, [shown])
  function take(field: HTMLInputElement): void {
    const isEmpty = field.value.trim() === ''
    const typed: Partial<Typed<Value>> = isEmpty ? {} : read(field.value)
    setRefused({ over: shown, problem: typed.problem })
    if (typed.problem !== undefined) return
    if (typed.value !== value) onType(typed.value)
    else field.value = shown
  }
  return (
    <FilterField label={label} isActive={value !== undefined} isEnd problem={problem}>
      {(field) => (
        <Input
          ref={input}
          {...field}
          autoComplete="off"
          defaultValue={shown}
          className="chips:w-28"
          onBlur={({ target }) => take(target)}
          onKeyDown={({ key, currentTarget }) => {
            if (key === 'Enter') take(currentTarget)
          }}
        />
      )}
    </FilterField>
  )
}
