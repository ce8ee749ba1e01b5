import { serverNow } from '@/data/server-clock'
import type { Option } from './filter-select'
import { FilterTime } from './filter-time'

/** When rows were created: days such as `2026-11-21`, in UTC. */
export interface Created {
  created_from?: string | undefined
  created_to?: string | undefined
}

type Period = 'today' | 'yesterday' | '7d' | '30d'

const periods: readonly Option<Period>[] = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
]

const DAY_MS = 24 * 3_600_000
const dayBefore = (days: number): string => new Date(serverNow() - days * DAY_MS).toISOString().slice(0, 10)

function daysOf(period: Period | undefined): Required<Created> {
  if (period === 'today' || period === 'yesterday') {
    const day = dayBefore(period === 'today' ? 0 : 1)
    return { created_from: day, created_to: day }
  }
  const days = { '7d': 7, '30d': 30 }
  return { created_from: period && dayBefore(days[period] - 1), created_to: undefined }
}

interface FilterCreatedProps {
  search: Created
  onChange: (created: Required<Created>) => void
}

export function FilterCreated({ search: { created_from: from, created_to: to }, onChange }: FilterCreatedProps) {
  const period = periods
    .map(([name]) => name || undefined)
    .find((name) => {
      const days = daysOf(name)
      return name !== undefined && days.created_from === from && days.created_to === to
    })
  return (
    <FilterTime
      label="Created"
      periods={periods}
      period={period}
      from={from}
      to={to}
      onChoose={({ period: chosen, ...days }) =>
        onChange(chosen === undefined ? { created_from: days.from, created_to: days.to } : daysOf(chosen))
      }
    />
  )
}
