import { useState } from 'react'
import { dayText, daysText, timeText } from '@/lib/time-text'
import { serverNow } from '@/data/api/setup'
import { isDay } from '@/lib/day-or-time'
import { addDays, firstOfDay, lastOfDay, localDay } from '@/lib/local-day'
import { DatePicker } from '../ui/date-picker'
import { FilterField } from './filter-field'
import { endsText, FilterSelect, type Option } from './filter-select'
import { Needs } from '../needs'

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
        ends={from && to ? daysText(from, to) : endsText(from && dayText(from), to && dayText(to))}
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

/** Has no button to clear the day, because users clear the whole period with its two days. */
function FilterDay(props: { label: string; value: string | undefined; onPick: (day: string | undefined) => void }) {
  const { label, value = '', onPick } = props
  const [problem, setProblem] = useState<string>()
  return (
    <FilterField label={label} isActive={value !== ''} isEnd problem={problem}>
      {(input) => (
        <DatePicker
          {...input}
          value={value}
          onPick={(day) => onPick(day === '' ? undefined : day)}
          onProblem={setProblem}
        />
      )}
    </FilterField>
  )
}

/** The ends are numbers of days after today. A period without one of them is open. */
type NamedDays = readonly [text: string, from: number | undefined, to: number | undefined]

const AROUND: readonly NamedDays[] = [
  ['Before today', undefined, -1],
  ['Today', 0, 0],
  ['Next 7 days', 0, 6],
  ['Next 30 days', 0, 29],
  ['Last 7 days', -6, 0],
  ['Last 30 days', -29, 0],
]

interface FilterDaysProps extends Ends {
  label: string
  periods?: readonly NamedDays[]
  /** Whether the field has times. Then the days are those of the browser's time zone. */
  isTime?: boolean
  onChange: (ends: Ends) => void
}

export function FilterDays({ label, periods = AROUND, isTime = false, onChange, ...given }: FilterDaysProps) {
  const endsOf = (first: string | undefined, last: string | undefined): Ends => ({
    from: first && isTime ? firstOfDay(first) : first,
    to: last && isTime ? lastOfDay(last) : last,
  })
  const { from, to } = isTime ? timesOf(given) : given
  const today = localDay(serverNow())
  const inDays = (days: number | undefined) => (days === undefined ? undefined : addDays(today, days))
  const named = periods.map(([text, first, last]) => ({ text, ...endsOf(inDays(first), inDays(last)) }))
  const isSame = (ends: Ends): boolean => ends.from === from && ends.to === to
  const current = from === undefined && to === undefined ? undefined : named.find(isSame)
  const days = isTime ? { from: from && localDay(from), to: to && localDay(to) } : { from, to }
  return (
    <FilterTime
      label={label}
      periods={named.map(({ text }) => [text, text] as const)}
      period={current?.text}
      {...days}
      // Times from a link may not be the ends of days in this time zone, so they are shown as they are.
      text={isSame(endsOf(days.from, days.to)) ? undefined : textOf(given)}
      onChoose={({ period, ...chosen }) => {
        const next = named.find(({ text }) => text === period)
        onChange(next ? { from: next.from, to: next.to } : endsOf(chosen.from, chosen.to))
      }}
    />
  )
}

/** Replaces days by the first or last time of that day in UTC. */
const timesOf = ({ from, to }: Ends): Ends => ({
  from: from && isDay(from) ? `${from}T00:00:00.000Z` : from,
  to: to && isDay(to) ? `${to}T23:59:59.999Z` : to,
})

function textOf(given: Ends): string {
  if (given.from !== undefined && given.from === given.to && isDay(given.from)) return `${dayText(given.from)} (UTC)`
  const { from, to } = timesOf(given)
  return [from && `From ${timeText(from)}`, to && `to ${timeText(to)}`].filter(Boolean).join(' ')
}

const PAST: readonly NamedDays[] = [
  ['Today', 0, 0],
  ['Yesterday', -1, -1],
  ['Last 7 days', -6, undefined],
  ['Last 30 days', -29, undefined],
]

/** The ends are times, or days in UTC such as `2026-11-21`. */
export function FilterCreated(ends: Ends & { onChange: (ends: Ends) => void }) {
  return (
    <Needs capability="administration">
      <FilterDays {...ends} label="Created" isTime periods={PAST} />
    </Needs>
  )
}
