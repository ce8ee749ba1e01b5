import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import type { AuditEntry } from '@/client/types.gen'
import { Panel, PanelPlaceholder, panelRow } from '@/components/panel'
import { QueryPart } from '@/components/query-part'
import { textLink } from '@/components/text-link'
import { TimeAgo } from '@/components/time-ago'
import { UserText } from '@/components/ui/user-text'
import { eventText } from '@/lib/audit-words'

/** The newest entries of the audit log. Renders nothing if the back end has none. */
export function RecentActivity() {
  const query = useQuery(auditReadAuditOptions({ query: { limit: 5 } }))
  return (
    <QueryPart query={query} absent={null} waiting={<PanelPlaceholder />}>
      {({ data }) => <Entries entries={data} />}
    </QueryPart>
  )
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <Panel
      title="Recent activity"
      link={
        <Link to="/audit" className={textLink}>
          Audit log
        </Link>
      }
    >
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </Panel>
  )
}

/** What happened, by whom and to whom. A link to the page of the last one who still has an account. */
function Entry({ entry }: { entry: AuditEntry }) {
  const { actor, subject, at } = entry
  const parties = [actor, subject?.id === actor?.id ? null : subject].filter((party) => party !== null)
  const userId = parties.findLast(({ email }) => email !== null)?.id
  const content = (
    <>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{eventText(entry)}</span>{' '}
        <span className="flex gap-1 text-muted-foreground">
          {parties.map(({ id, email }, index) => (
            <Fragment key={id}>
              {index > 0 && (
                <>
                  <span aria-hidden>→</span>
                  <span className="sr-only"> to </span>
                </>
              )}
              <span className="min-w-0">
                <UserText show="one line">{email ?? 'Deleted account'}</UserText>
              </span>
            </Fragment>
          ))}
        </span>
      </span>{' '}
      <span className="shrink-0 text-muted-foreground">
        <TimeAgo time={at} />
      </span>
    </>
  )
  return (
    <li>
      {userId === undefined ? (
        <div className={panelRow}>{content}</div>
      ) : (
        <Link to="/users/$userId" params={{ userId }} className={panelRow}>
          {content}
        </Link>
      )}
    </li>
  )
}
