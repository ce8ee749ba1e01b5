import { useId, useState } from 'react'
import { DatePicker } from '../ui/date-picker'
import { FilterField, invalidBy } from './filter-field'

interface FilterDayProps {
  label: string
  /** A day such as `2026-11-21`. */
  value: string | undefined
  onPick: (day: string | undefined) => void
}

/** Has no button to clear it, because the period that it belongs to is cleared as a whole. */
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
