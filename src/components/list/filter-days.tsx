import { serverNow } from '@/data/server-clock'
import { FilterTime } from './filter-time'

const DAY_MS = 24 * 3_600_000
const inDays = (days: number): string => new Date(serverNow() + days * DAY_MS).toISOString().slice(0, 10)

/** Days such as `2026-11-21`, in UTC. */
interface Days {
  from: string | undefined
  to: string | undefined
}

/** A period with a name. Its ends are days after today; without one, it is open. */
export type Period = readonly [text: string, from: number | undefined, to: number | undefined]

const AROUND: readonly Period[] = [
  ['Before today', undefined, -1],
  ['Today', 0, 0],
  ['Next 7 days', 0, 6],
  ['Next 30 days', 0, 29],
  ['Last 7 days', -6, 0],
  ['Last 30 days', -29, 0],
]

interface FilterDaysProps extends Days {
  label: string
  periods?: readonly Period[]
  onChange: (days: Days) => void
}

/** A filter by the days of a field. */
export function FilterDays({ label, periods = AROUND, from, to, onChange }: FilterDaysProps) {
  const named = periods.map(([text, first, last]) => {
    const days: Days = {
      from: first === undefined ? undefined : inDays(first),
      to: last === undefined ? undefined : inDays(last),
    }
    return { text, ...days }
  })
  const current =
    from === undefined && to === undefined ? undefined : named.find((days) => days.from === from && days.to === to)
  return (
    <FilterTime
      label={label}
      periods={named.map(({ text }) => [text, text] as const)}
      period={current?.text}
      from={from}
      to={to}
      onChoose={({ period, ...days }) => {
        const chosen = named.find(({ text }) => text === period)
        onChange(chosen ? { from: chosen.from, to: chosen.to } : days)
      }}
    />
  )
}
