import type { LinkProps } from '@tanstack/react-router'
import type { Overview } from '@/client/types.gen'
import { BarChart } from '@/components/charts/bar-chart'

const chart = { note: 'Last 30 days (UTC)', last: 'Today', noun: 'user' }

export function DaysCharts({ days }: { days: Overview['days'] }) {
  if (!days?.length) return null
  const bars = (count: 'new_users' | 'active_users', linkTo: (day: string) => LinkProps) =>
    days.map(({ day, [count]: number }) => ({ id: day, label: dayText(day), number, link: linkTo(day) }))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <BarChart
        {...chart}
        title="New users by day"
        bars={bars('new_users', (day) => ({ to: '/users', search: { created_from: day, created_to: day } }))}
      />
      {/* No list can show the users who were active on an earlier day, so the bars lead to the audit log. */}
      <BarChart
        {...chart}
        title="Active users by day"
        leadsTo="audit log"
        bars={bars('active_users', (day) => ({ to: '/audit', search: { from: day, to: day } }))}
      />
    </div>
  )
}

const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string) => format.format(new Date(day))
