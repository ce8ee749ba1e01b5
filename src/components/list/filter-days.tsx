import { serverNow } from '@/data/server-clock'
import { isDay } from '@/lib/day-or-time'
import { dayText } from '@/lib/day-text'
import { addDays, firstOfDay, lastOfDay, localDay } from '@/lib/local-day'
import { timeText } from '@/lib/time-text'
import { type Ends, FilterTime } from './filter-time'

/** The ends are numbers of days after today. A period without one of them is open. */
export type Period = readonly [text: string, from: number | undefined, to: number | undefined]

const AROUND: readonly Period[] = [
  ['Before today', undefined, -1],
  ['Today', 0, 0],
  ['Next 7 days', 0, 6],
  ['Next 30 days', 0, 29],
  ['Last 7 days', -6, 0],
  ['Last 30 days', -29, 0],
]

interface FilterDaysProps extends Ends {
  label: string
  periods?: readonly Period[]
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
