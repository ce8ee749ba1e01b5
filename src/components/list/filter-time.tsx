import { useState } from 'react'
import { dayText } from '@/lib/day-text'
import { FilterDay } from './filter-day'
import { endsText, FilterSelect, type Option } from './filter-select'

/** Days such as `2026-11-21`, both inclusive. */
interface Days {
  from: string | undefined
  to: string | undefined
}

interface FilterTimeProps<Period extends string> extends Days {
  label: string
  /** Named periods, such as today. */
  periods: readonly Option<Period>[]
  period: Period | undefined
  /** Replaces the days if the range does not consist of whole days. */
  text?: string | undefined
  onChoose: (chosen: Days & { period: Period | undefined }) => void
}

export function FilterTime<Period extends string>({
  label,
  periods,
  period,
  from,
  to,
  text,
  onChoose,
}: FilterTimeProps<Period>) {
  const [isRangeWanted, setRangeWanted] = useState(false)
  const one = text ?? (from !== undefined && from === to ? dayText(from) : undefined)
  const hasDays = period === undefined && (from !== undefined || to !== undefined)
  const isRange = period === undefined && text === undefined && (isRangeWanted || (hasDays && one === undefined))
  const day: Option<Period | 'day' | 'range'>[] = hasDays && one !== undefined && !isRange ? [['day', one]] : []
  return (
    <div className="contents chips:flex chips:max-w-full chips:flex-wrap chips:gap-2">
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
