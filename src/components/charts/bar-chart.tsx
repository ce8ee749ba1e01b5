import type { LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Link } from '../link'

interface Bar {
  id: string
  label: string
  number: number
  /** To what the number counts. */
  link: LinkProps
}

interface BarChartProps {
  title: string
  /** Shown while no bar is chosen. */
  note: string
  bars: readonly Bar[]
  /** A bar in words: `Nov 23: 3 users`. */
  textOf: (bar: Bar) => string
  /** Below the last bar, by default its label. */
  last?: string
}

/** Each bar is a link. All of them are one tab stop: arrow keys, Home and End go from bar to bar. */
export function BarChart({ title, note, bars, textOf, last: lastText = bars.at(-1)?.label }: BarChartProps) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const last = bars.length - 1
  // The bar that Tab leads to.
  const [current, setCurrent] = useState(last)
  const [focused, setFocused] = useState<number | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const shown = pointed ?? focused
  const highest = Math.max(...bars.map(({ number }) => number))
  const bar = shown === null ? undefined : bars[shown]

  function move(event: KeyboardEvent): void {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setPointed(null)
    list.current?.querySelectorAll('a')[Math.min(last, Math.max(0, to))]?.focus()
  }

  return (
    <section aria-labelledby={id} className="h-46 min-w-0 rounded-lg border p-4">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      <p className="mb-2 truncate text-xs/4 text-muted-foreground">{bar === undefined ? note : textOf(bar)}</p>
      <ul ref={list} data-dense aria-labelledby={id} className="flex h-20 border-b">
        {bars.map((each, index) => (
          <li key={each.id} className="min-w-0 flex-1">
            <Link
              {...each.link}
              // A pointer on its way crosses many.
              preload={false}
              aria-label={textOf(each)}
              tabIndex={index === current ? 0 : -1}
              // The whole column reacts, not only its bar.
              className={clsx('flex h-full items-end px-[10%]', index === shown && 'bg-muted')}
              onKeyDown={move}
              onFocus={() => {
                setCurrent(index)
                setFocused(index)
              }}
              onBlur={() => setFocused(null)}
              onPointerEnter={() => setPointed(index)}
              onPointerLeave={() => setPointed(null)}
            >
              <span
                // Any number above zero has a visible bar.
                style={{ height: each.number === 0 ? 0 : `max(2px, ${(100 * each.number) / highest}%)` }}
                className={clsx('w-full', index === shown ? 'bg-primary-hover' : 'bg-primary')}
              />
            </Link>
          </li>
        ))}
      </ul>
      <p aria-hidden className="mt-1 flex justify-between text-xs/4 text-muted-foreground">
        <span>{bars[0]?.label}</span>
        <span>{`highest ${highest.toLocaleString('en')}`}</span>
        <span>{lastText}</span>
      </p>
    </section>
  )
}
