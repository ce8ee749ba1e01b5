import type { Overview } from '@/client/types.gen'
import { BarChart } from '@/components/charts/bar-chart'
import { countText } from '@/lib/range-text'

type Day = NonNullable<Overview['days']>[number]

export function BarCharts({ days }: { days: readonly Day[] }) {
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
