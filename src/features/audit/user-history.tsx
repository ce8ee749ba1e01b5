import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { QueryPart } from '@/components/query-part'
import { textLink } from '@/components/text-link'
import { AuditTable } from './audit-table'

export function UserHistory({ userId }: { userId: string }) {
  const query = useQuery(auditReadAuditOptions({ query: { subject_id: userId, limit: 10 } }))
  return (
    <QueryPart query={query} absent="This server keeps no audit log.">
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-muted-foreground">Nothing has happened yet.</p>
        ) : (
          <>
            <AuditTable label="History" entries={data} />
            <p className="mt-2">
              <Link to="/audit" search={{ subject_id: userId }} className={textLink}>
                Show all in the audit log
              </Link>
            </p>
          </>
        )
      }
    </QueryPart>
  )
}
