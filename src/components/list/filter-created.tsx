import { FilterDays, type Period } from './filter-days'

/** When rows were created: times, or days of UTC such as `2026-11-21`. */
interface Created {
  created_from?: string | undefined
  created_to?: string | undefined
}

const PAST: readonly Period[] = [
  ['Today', 0, 0],
  ['Yesterday', -1, -1],
  ['Last 7 days', -6, undefined],
  ['Last 30 days', -29, undefined],
]

interface FilterCreatedProps {
  search: Created
  onChange: (created: Required<Created>) => void
}

export function FilterCreated({ search, onChange }: FilterCreatedProps) {
  return (
    <FilterDays
      label="Created"
      isTime
      periods={PAST}
      from={search.created_from}
      to={search.created_to}
      onChange={({ from, to }) => onChange({ created_from: from, created_to: to })}
    />
  )
}
