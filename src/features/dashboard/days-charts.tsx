import type { Overview } from '@/client/types.gen'
import { BarChart } from '@/components/charts/bar-chart'
import { Skeleton } from '@/components/skeleton'
import { countText } from '@/lib/range-text'

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

type Day = NonNullable<Overview['days']>[number]

function BarCharts({ days }: { days: readonly Day[] }) {
  const chartOf = (title: string, numberOf: (day: Day) => number) => (
    <BarChart
      title={title}
      note="Last 30 days (UTC)"
      last="Today"
      columns={['Day', 'Users']}
      numberText={(number) => countText(number, 'user')}
      bars={days.map((day) => ({ id: day.day, label: dayText(day.day), number: numberOf(day) }))}
    />
  )
  return (
    <>
      {chartOf('New users by day', ({ new_users }) => new_users)}
      {chartOf('Active users by day', ({ active_users }) => active_users)}
    </>
  )
}

const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string) => format.format(new Date(day))
