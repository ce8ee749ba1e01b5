import type { LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import { countText, numberText } from '@/lib/text'
import { Link } from '../link'

interface Bar {
  id: string
  label: string
  number: number
  link: LinkProps
}

interface BarChartProps {
  title: string
  note: string
  bars: readonly Bar[]
  /** What the numbers count, such as `user`. */
  noun: string
  leadsTo?: string
  last?: string
}

/** Bars can be too narrow for fingers, so all share one link. Arrow keys, Home and End choose the bar that it opens. */
export function BarChart({ title, note, bars, noun, leadsTo, last: lastText = bars.at(-1)?.label }: BarChartProps) {
  const id = useId()
  const last = bars.length - 1
  const [current, setCurrent] = useState(last)
  const [isFocused, setFocused] = useState(false)
  const [pointed, setPointed] = useState<number | null>(null)
  const chosen = pointed ?? current
  const isShown = pointed !== null || isFocused
  const bar = bars[chosen]
  if (!bar) return null
  const textOf = ({ label, number }: Bar) => `${label}: ${countText(number, noun)}`
  const text = [textOf(bar), leadsTo].filter(Boolean).join(', ')
  const top = axisTop(Math.max(...bars.map(({ number }) => number)))

  const within = (index: number): number => Math.min(last, Math.max(0, index))

  function move(event: KeyboardEvent): void {
    const to = { ArrowLeft: chosen - 1, ArrowRight: chosen + 1, Home: 0, End: last }[event.key]
    if (to === undefined) return
    event.preventDefault()
    setPointed(null)
    setCurrent(within(to))
  }

  function point({ currentTarget, clientX }: PointerEvent): void {
    const { left, width } = currentTarget.getBoundingClientRect()
    setPointed(within(Math.floor(((clientX - left) * bars.length) / width)))
  }

  return (
    <section aria-labelledby={id} className="h-46 min-w-0 rounded-lg border p-4">
      <h2 id={id} className="font-medium">
        {title}
      </h2>
      {/* Screen readers announce bars chosen by keys, but not each move of a pointer. */}
      <p aria-live={isFocused ? 'polite' : 'off'} className="mb-3 truncate text-xs/4 text-muted-foreground">
        {isShown ? text : note}
      </p>
      <div className="flex gap-2">
        <div
          aria-hidden
          className="-my-2 flex h-24 flex-col justify-between text-right text-xs/4 text-muted-foreground"
        >
          {[top, top / 2, 0].map((number) => (
            <span key={number}>{numberText(number)}</span>
          ))}
        </div>
        <div className="min-w-0 flex-1">
          <Link
            {...bar.link}
            preload={false}
            aria-label={text}
            aria-keyshortcuts="ArrowLeft ArrowRight Home End"
            // A horizontal touch moves along the bars instead of scrolling.
            className="relative flex h-20 touch-pan-y border-b"
            onKeyDown={move}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onPointerDown={point}
            onPointerMove={point}
            onPointerLeave={() => setPointed(null)}
          >
            {['top-0', 'top-1/2'].map((line) => (
              <span key={line} aria-hidden className={clsx('absolute inset-x-0 border-t', line)} />
            ))}
            {bars.map((each, index) => {
              const isChosen = isShown && index === chosen
              return (
                <span
                  key={each.id}
                  className={clsx('relative flex min-w-0 flex-1 items-end justify-center', isChosen && 'bg-muted')}
                >
                  <span
                    // A number above zero has at least a visible line.
                    style={{ height: each.number === 0 ? 0 : `max(2px, ${(100 * each.number) / top}%)` }}
                    className={clsx(
                      'w-3/5 bg-primary',
                      isChosen ? 'forced-colors:bg-[Highlight]' : 'forced-colors:bg-[CanvasText]',
                      !isChosen && index < last && 'opacity-65 forced-colors:opacity-100',
                    )}
                  />
                </span>
              )
            })}
          </Link>
          <p aria-hidden className="mt-1 flex justify-between text-xs/4 text-muted-foreground">
            <span>{bars[0]?.label}</span>
            <span>{lastText}</span>
          </p>
        </div>
      </div>
      <ul aria-labelledby={id} className="sr-only">
        {bars.map((each) => (
          <li key={each.id}>{textOf(each)}</li>
        ))}
      </ul>
    </section>
  )
}

/** The lowest round, even number that is at least the highest bar. */
function axisTop(highest: number): number {
  const step = 10 ** Math.floor(Math.log10(Math.max(1, highest)))
  return [2, 4, 6, 8, 10].map((factor) => factor * step).find((number) => number >= highest) ?? 2 * step
}
