import { clsx } from 'clsx'
import { useLayoutEffect, useRef } from 'react'
import { choiceText } from '@/lib/text'
import { Select } from '../ui/input'
import { FilterField } from './filter-field'

export type Option<Value extends string = string> = readonly [value: Value | '', text: string]

interface FilterSelectProps<Value extends string> {
  label: string
  value: Value | '' | undefined
  values?: readonly Value[] | undefined
  options?: readonly Option<Value>[]
  /** The text for a value in the URL that is not an option. */
  textOf?: (value: string) => string
  /** The ends of a chosen range, such as `3 – 5`. A chip shows them while the fields for the ends are in a sheet. */
  ends?: string | undefined
  onChoose: (value: Value | undefined) => void
}

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, value = '', values = [], textOf = String, ends, onChoose } = props
  const { options = [['', 'Any'], ...values.map((word) => [word, choiceText(word)] as const)] } = props
  const select = useRef<HTMLSelectElement>(null)
  // Uncontrolled, because React's `value` would show the old option until the URL has changed.
  useLayoutEffect(() => {
    if (select.current) select.current.value = value
  }, [value])
  const known = options.find(([option]) => option === value)
  const chosenText = known?.[1] ?? textOf(value)
  const shownEnds = value === 'range' ? ends : undefined
  return (
    <FilterField
      label={label}
      isActive={value !== ''}
      chosen={
        <>
          <span className={clsx(shownEnds !== undefined && 'chosen:hidden crowded:hidden')}>{chosenText}</span>
          {shownEnds !== undefined && <span className="hidden chosen:inline">{shownEnds}</span>}
        </>
      }
      onClear={() => onChoose(undefined)}
    >
      {({ id }) => (
        <Select
          ref={select}
          id={id}
          defaultValue={value}
          className="chips:absolute chips:inset-0 chips:opacity-0"
          onChange={({ target }) => onChoose(target.value === '' ? undefined : (target.value as Value))}
        >
          {(known ? options : [...options, [value, chosenText] as const]).map(([option, text]) => (
            <option key={option} value={option}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </FilterField>
  )
}

/** @returns `3 – 5`, `from 3` or `to 5` */
export function endsText(from: string | number | undefined, to: string | number | undefined): string | undefined {
  if (from === undefined) return to === undefined ? undefined : `to ${to}`
  return to === undefined ? `from ${from}` : `${from} – ${to}`
}
