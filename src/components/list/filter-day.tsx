import { useId, useState } from 'react'
import { DatePicker } from '../ui/date-picker'
import { FilterField, invalidBy } from './filter-field'

interface FilterDayProps {
  label: string
  /** A day such as `2026-11-21`. */
  value: string | undefined
  onPick: (day: string | undefined) => void
}

/** One of two, which are cleared together. */
export function FilterDay({ label, value = '', onPick }: FilterDayProps) {
  const id = useId()
  const [problem, setProblem] = useState<string>()
  return (
    <FilterField id={id} label={label} isActive={value !== ''} isEnd problem={problem}>
      <DatePicker
        {...invalidBy(id, problem)}
        value={value}
        onPick={(day) => onPick(day === '' ? undefined : day)}
        onProblem={setProblem}
      />
    </FilterField>
  )
}
