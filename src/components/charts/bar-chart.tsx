import { clsx } from 'clsx'
import { type KeyboardEvent, useId, useState } from 'react'

interface Bar {
  id: string
  label: string
  number: number
}

interface BarChartProps {
  title: string
  /** Shown while no bar is chosen. */
  note: string
  bars: readonly Bar[]
  /** The number of a bar in words: `3 users`. */
  numberText: (number: number) => string
  /** The headings of the table that says the same. */
  columns: [labels: string, numbers: string]
  /** Below the last bar, by default its label. */
  last?: string
}

const HEIGHT = 80

/** One tab stop. Arrow keys, Home and End choose a bar, and so does the pointer. */
export function BarChart(props: BarChartProps) {
  const { title, note, bars, numberText, columns, last: lastText = bars.at(-1)?.label } = props
  const id = useId()
  const last = bars.length - 1
  // By keys, while the chart has the focus.
  const [focused, setFocused] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const chosen = pointed ?? focused
  const highest = Math.max(...bars.map(({ number }) => number))
  const bar = bars[chosen ?? last]
  const barText = ({ label, number }: Bar) => `${label}: ${numberText(number)}`

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
        {chosen === null || bar === undefined ? note : barText(bar)}
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
            {bars.map(({ id: key, number }, index) => {
              // Any number above zero has a visible bar.
              const height = number === 0 ? 0 : Math.max(2, (number / highest) * HEIGHT)
              return (
                <g key={key} onPointerEnter={() => setPointed(index)}>
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
        <span>{bars[0]?.label}</span>
        <span>{`highest ${highest.toLocaleString('en')}`}</span>
        <span>{lastText}</span>
      </p>
      <table className="sr-only">
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ id: key, label, number }) => (
            <tr key={key}>
              <th scope="row">{label}</th>
              <td>{number.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
