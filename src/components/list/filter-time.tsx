import { useId, useState } from 'react'
import { dayText } from '@/lib/day-text'
import { DatePicker } from '../ui/date-picker'
import { FilterField, invalidBy } from './filter-field'
import { endsText, FilterSelect, type Option } from './filter-select'

/** Days such as `2026-11-21`, both inclusive. */
export interface Ends {
  from: string | undefined
  to: string | undefined
}

interface FilterTimeProps<Period extends string> extends Ends {
  label: string
  periods: readonly Option<Period>[]
  period: Period | undefined
  /** Replaces the days if the range does not consist of whole days. */
  text?: string | undefined
  onChoose: (chosen: Ends & { period: Period | undefined }) => void
}

export function FilterTime<Period extends string>(props: FilterTimeProps<Period>) {
  const { label, periods, period, from, to, text, onChoose } = props
  const [isRangeWanted, setRangeWanted] = useState(false)
  const one = text ?? (from !== undefined && from === to ? dayText(from) : undefined)
  const hasDays = period === undefined && (from !== undefined || to !== undefined)
  const isRange = period === undefined && text === undefined && (isRangeWanted || (hasDays && one === undefined))
  const day: Option<Period | 'day' | 'range'>[] = hasDays && one !== undefined && !isRange ? [['day', one]] : []
  return (
    <div className="contents chips:flex chips:max-w-full chips:flex-wrap chips:gap-1">
      <FilterSelect<Period | 'day' | 'range'>
        label={label}
        value={isRange ? 'range' : hasDays ? 'day' : period}
        ends={endsText(from && dayText(from), to && dayText(to))}
        options={[['', 'Any'], ...periods, ...day, ['range', 'From … to …']]}
        onChoose={(value) => {
          if (value === 'day') return
          setRangeWanted(value === 'range')
          const days = value === 'range' && hasDays ? { from, to } : { from: undefined, to: undefined }
          onChoose({ period: value === 'range' ? undefined : value, ...days })
        }}
      />
      {isRange && (
        <>
          <FilterDay label="From" value={from} onPick={(picked) => onChoose({ period, from: picked, to })} />
          <FilterDay label="To" value={to} onPick={(picked) => onChoose({ period, from, to: picked })} />
        </>
      )}
    </div>
  )
}

interface FilterDayProps {
  label: string
  value: string | undefined
  onPick: (day: string | undefined) => void
}

/** Has no button to clear the day, because users clear the whole period with its two days. */
function FilterDay({ label, value = '', onPick }: FilterDayProps) {
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
