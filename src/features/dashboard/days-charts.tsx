import type { Overview } from '@/client/types.gen'
import { lazy, useLazy } from '@/components/lazy/lazy'
import { Placeholder } from '@/components/placeholder'

/** Loads after the first paint. */
const charts = lazy(() => import('./charts/bar-charts'))

const grid = 'grid gap-4 lg:grid-cols-2'

/** The last 30 days as two bar charts, in a space that does not change while their code loads. */
export function DaysCharts({ days }: { days: Overview['days'] | undefined }) {
  const hasDays = days !== undefined && days !== null && days.length > 0
  const code = useLazy(charts, hasDays, () => undefined)
  if (!hasDays) return null
  if (!code) return <ChartsPlaceholder />
  return (
    <div className={grid}>
      <code.BarCharts days={days} />
    </div>
  )
}

export function ChartsPlaceholder() {
  return (
    <div className={grid}>
      {[1, 2].map((chart) => (
        <Placeholder key={chart} className="h-46" />
      ))}
    </div>
  )
}
