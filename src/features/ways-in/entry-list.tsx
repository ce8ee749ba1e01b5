import type { ReactNode } from 'react'
import { lazyPart } from '@/components/lazy'
import { TimeAgo } from '@/components/time-ago'
import { Button } from '@/components/ui/button'
import { countText } from '@/lib/range-text'
import { WaysFrame } from './ways-section'

interface EntryListProps<Entry> {
  label: string
  noun: string
  entries: readonly Entry[]
  count?: number
  empty?: string | undefined
  /** A button for the whole list, beside the number of its entries. */
  button?: ReactNode
  title: (entry: Entry) => ReactNode
  facts: (entry: Entry) => ReactNode
  action: (entry: Entry) => ReactNode
}

export function EntryList<Entry extends { id: string }>(props: EntryListProps<Entry>) {
  const { label, noun, entries, count = entries.length, empty, button, title, facts, action } = props
  const isEmpty = empty !== undefined && entries.length === 0
  return (
    <WaysFrame
      head={(isEmpty || button) && <span>{isEmpty ? empty : countText(count, noun)}</span>}
      actions={button}
      list={
        !isEmpty && (
          <ul aria-label={label} className="divide-y">
            {entries.map((entry) => (
              <li
                key={entry.id}
                className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 md:flex-nowrap"
              >
                <div className="min-w-0">
                  <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">{title(entry)}</p>
                  <p className="wrap-anywhere text-muted-foreground">{facts(entry)}</p>
                </div>
                {action(entry)}
              </li>
            ))}
          </ul>
        )
      }
    />
  )
}

export function LastUse({ time }: { time: string | null }) {
  if (time === null) return <span>Never used</span>
  return (
    <span>
      Last used <TimeAgo time={time} />
    </span>
  )
}

export const ConfirmIfPresent = lazyPart(
  async () => (await import('@/components/dialog/confirm-dialog')).ConfirmIfPresent,
)

export function EntryButton(props: { text: string; name: string; onOpen: (opener: HTMLElement) => void }) {
  const { text, name, onOpen } = props
  return (
    <Button variant="secondary" aria-label={`${text} ${name}`} onClick={({ currentTarget }) => onOpen(currentTarget)}>
      {text}
    </Button>
  )
}
