import { useId, useLayoutEffect, useRef } from 'react'
import { Input } from '../ui/input'
import { FilterField } from './filter-field'
import type { ListFilters } from './use-list-search'

interface FilterDayProps {
  filters: ListFilters<unknown>
  /** The search parameter. Its values are days such as `2026-11-21`. */
  name: string
  label: string
}

export function FilterDay({ filters, name, label }: FilterDayProps) {
  const value = filters.valueOf(name)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Uncontrolled, because React's `value` would reset a partly typed date.
  useLayoutEffect(() => {
    if (input.current && input.current.value !== value) input.current.value = value
  }, [value])
  return (
    <FilterField id={id} label={label} isActive={value !== ''} onClear={() => filters.change({ [name]: undefined })}>
      <Input
        ref={input}
        id={id}
        type="date"
        // Rejects partly typed years.
        min="2000-01-01"
        max="9999-12-31"
        defaultValue={value}
        onChange={({ target }) => {
          if (target.validity.valid) filters.change({ [name]: target.value === '' ? undefined : target.value })
        }}
      />
    </FilterField>
  )
}
