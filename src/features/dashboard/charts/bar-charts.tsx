import { clsx } from 'clsx'
import { type KeyboardEvent, useId, useState } from 'react'
import type { Overview } from '@/client/types.gen'
import { countText } from '@/lib/range-text'

export function BarCharts({ days }: { days: NonNullable<Overview['days']> }) {
  return (
    <>
      <BarChart title="New users by day" bars={days.map(({ day, new_users }) => ({ day, number: new_users }))} />
      <BarChart
        title="Active users by day"
        bars={days.map(({ day, active_users }) => ({ day, number: active_users }))}
      />
    </>
  )
}

interface Bar {
  /** UTC. */
  day: string
  number: number
}

const HEIGHT = 80
const format = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayText = (day: string) => format.format(new Date(day))
const barText = ({ day, number }: Bar) => `${dayText(day)}: ${countText(number, 'user')}`

/** One tab stop. Arrow keys, Home and End choose a bar, and so does the pointer. */
function BarChart({ title, bars }: { title: string; bars: readonly Bar[] }) {
  const id = useId()
  const last = bars.length - 1
  // By keys, while the chart has the focus.
  const [focused, setFocused] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const chosen = pointed ?? focused
  const highest = Math.max(...bars.map(({ number }) => number))
  const bar = bars[chosen ?? last]

  function choose(event: KeyboardEvent): void {
    const from = focused ?? last
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setPointed(null)
    setFocused(Math.min(last, Math.max(0, to)))
  }

  return (
    <section aria-labelledby={id} className="h-46 min-w-0 rounded-lg border p-4">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      <p className="mb-2 truncate text-xs/4 text-muted-foreground">
        {chosen === null || bar === undefined ? 'Last 30 days (UTC)' : barText(bar)}
      </p>
      {bar && (
        <div
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an input cannot contain the bars
          role="slider"
          tabIndex={0}
          aria-label={title}
          aria-valuemin={1}
          aria-valuemax={bars.length}
          aria-valuenow={(chosen ?? last) + 1}
          aria-valuetext={barText(bar)}
          onKeyDown={choose}
          onFocus={() => setFocused(last)}
          onBlur={() => setFocused(null)}
          onPointerLeave={() => setPointed(null)}
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${bars.length * 10} ${HEIGHT}`}
            preserveAspectRatio="none"
            className="h-20 w-full border-b"
          >
            {bars.map(({ day, number }, index) => {
              // A day with anybody has a visible bar.
              const height = number === 0 ? 0 : Math.max(2, (number / highest) * HEIGHT)
              return (
                <g key={day} onPointerEnter={() => setPointed(index)}>
                  {/* The whole column reacts, not only its bar. */}
                  <rect
                    x={index * 10}
                    width={10}
                    height={HEIGHT}
                    className={index === chosen ? 'fill-muted' : 'fill-transparent'}
                  />
                  <rect
                    x={index * 10 + 1}
                    y={HEIGHT - height}
                    width={8}
                    height={height}
                    className={clsx(index === chosen ? 'fill-primary-hover' : 'fill-primary')}
                  />
                </g>
              )
            })}
          </svg>
        </div>
      )}
      <p aria-hidden className="mt-1 flex justify-between text-xs/4 text-muted-foreground">
        <span>{bars[0] && dayText(bars[0].day)}</span>
        <span>{`highest ${highest.toLocaleString('en')}`}</span>
        <span>Today</span>
      </p>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Users</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ day, number }) => (
            <tr key={day}>
              <th scope="row">{dayText(day)}</th>
              <td>{number.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
