import { useId } from 'react'
import { DatePicker } from '../ui/date-picker'
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
  const change = (day: string) => filters.change({ [name]: day === '' ? undefined : day })
  return (
    <FilterField id={id} label={label} isActive={value !== ''} onClear={() => change('')}>
      <DatePicker id={id} value={value} onPick={change} />
    </FilterField>
  )
}
