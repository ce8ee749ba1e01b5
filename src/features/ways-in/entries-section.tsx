import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazyPart } from '@/components/lazy'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { countText } from '@/lib/range-text'
import { WaysFrame, WaysSection, type WaysSectionProps, WaysSkeleton } from './ways-section'

interface EntriesSectionProps<Entry> extends Omit<WaysSectionProps, 'children'> {
  query: UseQueryResult<{ data: readonly Entry[]; count: number }, unknown>
  /** The text if the back end does not have the list. */
  absent?: string
  waiting?: ReactNode
  /** The name of the list, if it is not the title of the section. */
  label?: string
  noun: string
  /** The text without entries. Absent if there always are some. */
  empty?: string | undefined
  /** A button for the whole list, beside the number of its entries. */
  button?: ReactNode
  heading: (entry: Entry) => ReactNode
  facts: (entry: Entry) => ReactNode
  buttons: (entry: Entry) => ReactNode
}

export function EntriesSection<Entry extends { id: string }>(props: EntriesSectionProps<Entry>) {
  const { query, absent = null, noun, empty, button, heading, facts, buttons, ...section } = props
  const { waiting = section.owner === 'me' && <WaysSkeleton />, label = section.title } = props
  return (
    <WaysSection {...section}>
      <QueryBoundary query={query} absent={absent} waiting={waiting}>
        {({ data, count }) => {
          const isEmpty = empty !== undefined && data.length === 0
          return (
            <>
              <WaysFrame
                head={(isEmpty || button) && <span>{isEmpty ? empty : countText(count, noun)}</span>}
                actions={button}
              >
                {!isEmpty && (
                  <ul aria-label={label} className="divide-y">
                    {data.map((entry) => (
                      <li
                        key={entry.id}
                        className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 md:flex-nowrap"
                      >
                        <div className="min-w-0">
                          <p className="flex flex-wrap items-center gap-x-2 font-medium wrap-anywhere">
                            {heading(entry)}
                          </p>
                          <p className="wrap-anywhere text-muted-foreground">{facts(entry)}</p>
                        </div>
                        {buttons(entry)}
                      </li>
                    ))}
                  </ul>
                )}
              </WaysFrame>
              {data.length < count && (
                <p className="mt-2 text-muted-foreground">
                  {`The last used ${data.length} of ${countText(count, noun)} are shown.`}
                </p>
              )}
            </>
          )
        }}
      </QueryBoundary>
    </WaysSection>
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
