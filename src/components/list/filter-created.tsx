import { Needs } from '../needs'
import { FilterDays, type Period } from './filter-days'
import type { Ends } from './filter-time'

const PAST: readonly Period[] = [
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
