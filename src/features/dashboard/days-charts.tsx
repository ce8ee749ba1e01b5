import type { Overview } from '@/client/types.gen'
import { Skeleton } from '@/components/skeleton'
import { BarCharts } from './bar-charts'

const grid = 'grid gap-4 lg:grid-cols-2'

/** The last 30 days as two bar charts. */
export function DaysCharts({ days }: { days: Overview['days'] | undefined }) {
  const hasDays = days !== undefined && days !== null && days.length > 0
  if (!hasDays) return null
  return (
    <div className={grid}>
      <BarCharts days={days} />
    </div>
  )
}

export function ChartsSkeleton() {
  return (
    <div className={grid}>
      {[1, 2].map((chart) => (
        <Skeleton key={chart} className="h-46" />
      ))}
    </div>
  )
}
