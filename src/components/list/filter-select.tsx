import { ChevronDown } from 'lucide-react'
import { useId, useLayoutEffect, useRef } from 'react'
import { Select } from '../ui/select'
import { FilterField } from './filter-field'
import type { ListFilters } from './use-list-search'

export type Option = readonly [value: string, text: string]

interface FilterSelectProps {
  filters: ListFilters<unknown>
  /** The search parameter. */
  name: string
  label: string
  /** By default that of the parameter. */
  value?: string
  options: readonly Option[]
  /** The text for a value in the URL that is not an option. */
  textOf?: (value: string) => string
  /** By default changes the parameter. */
  onChoose?: (value: string | undefined) => void
}

export function FilterSelect(props: FilterSelectProps) {
  const { filters, name, label, options, textOf = String } = props
  const { onChoose = (chosen) => filters.change({ [name]: chosen }) } = props
  const { value = filters.valueOf(name) } = props
  const id = useId()
  const select = useRef<HTMLSelectElement>(null)
  // Uncontrolled, because React's `value` would show the old option until the URL has changed.
  useLayoutEffect(() => {
    if (select.current) select.current.value = value
  }, [value])
  const known = options.find(([option]) => option === value)
  const isActive = value !== ''
  return (
    <FilterField id={id} label={label} isActive={isActive} onClear={() => onChoose(undefined)}>
      <Select
        ref={select}
        id={id}
        defaultValue={value}
        // A chip opens it from anywhere, and shows its text below.
        className="chips:absolute chips:inset-0 chips:opacity-0"
        onChange={({ target }) => onChoose(target.value === '' ? undefined : target.value)}
      >
        {(known ? options : [...options, [value, textOf(value)] as const]).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </Select>
      <span aria-hidden className="hidden px-2 chips:block">
        {isActive ? (known?.[1] ?? textOf(value)) : <ChevronDown className="size-4 text-muted-foreground" />}
      </span>
    </FilterField>
  )
}
