import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { Panel, PanelPlaceholder } from '@/components/panel'
import { textLink } from '@/components/text-link'
import { TimeAgo } from '@/components/time-ago'
import { UserText } from '@/components/ui/user-text'
import { eventText } from '@/lib/audit-words'

/** The newest entries of the audit log. Renders nothing if the back end has none. */
export function RecentActivity() {
  const { data, error } = useQuery(auditReadAuditOptions({ query: { limit: 5 } }))
  if (data === undefined) return error === null && <PanelPlaceholder />
  return (
    <Panel
      title="Recent activity"
      link={
        <Link to="/audit" className={textLink}>
          Audit log
        </Link>
      }
    >
      {data.data.map((entry) => (
        <li key={entry.id} className="flex min-h-12 items-center gap-3 px-4 py-2">
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{eventText(entry)}</span>{' '}
            <span className="block text-muted-foreground">
              <UserText show="one line">{(entry.actor ?? entry.subject)?.email ?? 'Deleted account'}</UserText>
            </span>
          </span>{' '}
          <span className="shrink-0 text-muted-foreground">
            <TimeAgo time={entry.at} />
          </span>
        </li>
      ))}
    </Panel>
  )
}
