import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { auditReadAuditOptions } from '@/client/@tanstack/react-query.gen'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { textLink } from '@/components/text-link'
import { Button } from '@/components/ui/button'
import { AuditTable } from './audit-table'

const views = [
  ['subject_id', 'Done to this user'],
  ['actor_id', 'Done by this user'],
] as const

/** The last entries of the audit log about a user, or of what the user did. */
export function UserHistory({ userId }: { userId: string }) {
  const [filter, setFilter] = useState<(typeof views)[number][0]>('subject_id')
  const query = useQuery(auditReadAuditOptions({ query: { [filter]: userId, limit: 10 } }))
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for inputs */}
      <div role="group" aria-label="Which entries" className="mb-3 flex flex-wrap gap-2 print:hidden">
        {views.map(([name, label]) => (
          <Button
            key={name}
            variant={name === filter ? 'secondary' : 'ghost'}
            aria-pressed={name === filter}
            onClick={() => setFilter(name)}
          >
            {label}
          </Button>
        ))}
      </div>
      <QueryBoundary query={query} absent="This server keeps no audit log." waiting={<RowsSkeleton />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted-foreground">Nothing has happened yet.</p>
          ) : (
            <>
              <AuditTable label="History" entries={data} />
              <p className="mt-2">
                <Link to="/audit" search={{ [filter]: userId }} className={textLink}>
                  Show all in the audit log
                </Link>
              </p>
            </>
          )
        }
      </QueryBoundary>
    </>
  )
}
