import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { Fragment } from 'react'
import { auditReadAudit } from '@/client/sdk.gen'
import { TextLink } from '@/components/link'
import { Panel, PanelRow, PanelSkeleton } from '@/components/panel'
import { QueryBoundary } from '@/components/query-boundary'
import { UserText } from '@/components/ui/user-text'
import { eventText, isByServer } from './audit-words'
import { type Activity, combineEntries } from './activity'

const SHOWN = 5
/** Many entries may belong to one import, so more are read if the first ones do not suffice. */
const READ_FIRST = 10
const READ_MORE = 50

async function readActivities(signal: AbortSignal): Promise<Activity[]> {
  const { data: first } = await auditReadAudit({ query: { limit: READ_FIRST }, signal })
  const shown = combineEntries(first).slice(0, SHOWN)
  const isEnough = shown.length === SHOWN && !shown.some(({ isOpenEnded }) => isOpenEnded)
  if (first.next === null || isEnough) return shown
  const { data: more } = await auditReadAudit({ query: { limit: READ_MORE, before: first.next }, signal })
  return combineEntries({ data: [...first.data, ...more.data], next: more.next }).slice(0, SHOWN)
}

export function RecentActivity() {
  const query = useQuery({
    queryKey: [{ tags: ['audit'], recent: true }],
    queryFn: ({ signal }) => readActivities(signal),
  })
  return (
    <QueryBoundary query={query} absent={null} waiting={<PanelSkeleton />}>
      {(activities) => (
        <Panel title="Recent activity" link={<TextLink to="/audit">Audit log</TextLink>}>
          {activities.map((activity) => (
            <Row key={activity.entry.id} {...activity} />
          ))}
        </Panel>
      )}
    </QueryBoundary>
  )
}

/** Links to the last person who still has an account. */
function Row({ entry, count, isOpenEnded }: Activity) {
  const { actor, subject, at } = entry
  const parties = [actor, count > 1 || subject?.id === actor?.id ? null : subject].filter((party) => party !== null)
  const userId = parties.findLast(({ email }) => email !== null)?.id
  const names = parties.map(({ email }) => email ?? 'Deleted account')
  if (isByServer(entry)) names.unshift('Server')
  const linkTo = (id: string): LinkProps =>
    count > 1 ? { to: '/audit', search: { actor_id: id } } : { to: '/users/$userId', params: { userId: id } }
  return (
    <PanelRow
      link={userId === undefined ? undefined : linkTo(userId)}
      title={
        <span className="block truncate">
          {eventText(entry)}
          {count > 1 && ` (${count.toLocaleString('en')}${isOpenEnded ? ' or more' : ''})`}
        </span>
      }
      text={
        <span className="flex gap-1">
          {names.map((name, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- both may be deleted accounts
            <Fragment key={index}>
              {index > 0 && (
                <>
                  <span aria-hidden>→</span>
                  <span className="sr-only"> to </span>
                </>
              )}
              <span className="min-w-0">
                <UserText show="one line">{name}</UserText>
              </span>
            </Fragment>
          ))}
        </span>
      }
      time={at}
    />
  )
}
