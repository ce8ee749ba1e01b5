import { useQuery } from '@tanstack/react-query'
import { TextLink } from '@/components/link'
import { QueryBoundary } from '@/components/query-boundary'
import { RowsSkeleton } from '@/components/skeleton'
import { historyOptions, type HistoryQuery } from './audit-queries'
import { AuditTable } from './audit-table'

export function History({ of, isShown = true }: { of: HistoryQuery; isShown?: boolean }) {
  const query = useQuery({ ...historyOptions(of), enabled: isShown })
  return (
    <QueryBoundary query={query} absent="This server keeps no audit log." waiting={<RowsSkeleton />}>
      {({ data }) =>
        data.length === 0 ? (
          <p className="text-muted-foreground">Nothing has happened yet.</p>
        ) : (
          <>
            <AuditTable label="History" entries={data} side={'actor_id' in of ? 'actor_id' : 'subject_id'} />
            <p className="mt-2">
              <TextLink to="/audit" search={of}>
                Show all in the audit log
              </TextLink>
            </p>
          </>
        )
      }
    </QueryBoundary>
  )
}
