import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { lazyPart } from '@/components/lazy'
import { TextLink } from '@/components/link'
import { QueryBoundary } from '@/components/query-boundary'
import { Section, TwoColumnSection } from '@/components/section'
import { SkeletonOf } from '@/components/skeleton'
import { TimeAgo } from '@/components/time'
import { controlHeight } from '@/components/ui/classes'
import { useCurrentUser } from '@/data/api/current-user'
import { countText } from '@/lib/text'

/** `me` on the security page, or the user on the page of a user. */
export type Owner = 'me' | UserPublic

export const idOf = (owner: Owner): string => (owner === 'me' ? 'me' : owner.id)

/** Superusers cannot change their own account on its user page, but only on the security page. */
export function useMayChange(owner: Owner): boolean {
  const { id } = useCurrentUser()
  return owner === 'me' || owner.id !== id
}

interface WaysSectionProps {
  owner: Owner
  title: string
  text?: string
  /** What superusers can do on the page of a user. */
  action?: ReactNode
  /** The text of a link to the security page, which replaces `action` on the own page of a superuser. */
  link?: string
  children: ReactNode
}

export function WaysSection({ owner, title, text = '', action, link, children }: WaysSectionProps) {
  const mayChange = useMayChange(owner)
  if (owner === 'me')
    return (
      <TwoColumnSection title={title} text={text}>
        {children}
      </TwoColumnSection>
    )
  const ownPage = <TextLink to="/security">{link ?? 'Your security page'}</TextLink>
  return (
    <Section title={title} action={mayChange ? action : ownPage}>
      {children}
    </Section>
  )
}

interface WaysFrameProps {
  /** The first row, such as the state of the section or the number of its entries. */
  head?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function WaysFrame({ head, actions, children }: WaysFrameProps) {
  return (
    <div className="divide-y rounded-lg border px-4">
      {head && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-3 max-md:flex-col max-md:items-start">
          <p className="flex min-w-0 flex-wrap items-center gap-2 text-muted-foreground">{head}</p>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}

export function WaysSkeleton() {
  return (
    <SkeletonOf>
      <WaysFrame head="…" actions={<span className={controlHeight} />} />
    </SkeletonOf>
  )
}

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
  /** A button for the whole list, on the security page. */
  ownButton?: ReactNode
  heading: (entry: Entry) => ReactNode
  facts: (entry: Entry) => ReactNode
  buttons: (entry: Entry) => ReactNode
}

export function EntriesSection<Entry extends { id: string }>(props: EntriesSectionProps<Entry>) {
  const { query, absent = null, noun, empty, ownButton, heading, facts, buttons, ...section } = props
  const { waiting = section.owner === 'me' && <WaysSkeleton />, label = section.title } = props
  const mayChange = useMayChange(section.owner)
  const button = section.owner === 'me' && ownButton
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
                        {mayChange && buttons(entry)}
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
