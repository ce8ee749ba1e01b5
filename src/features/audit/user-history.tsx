import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { textLink } from '@/components/text-link'
import { Button } from '@/components/ui/button'
import { historyOf, type Side } from './audit-queries'
import { AuditTable } from './audit-table'

const views: [Side, string][] = [
  ['subject_id', 'Done to this user'],
  ['actor_id', 'Done by this user'],
]

/** The last entries of the audit log about a user, or of what the user did. */
export function UserHistory({ userId }: { userId: string }) {
  const [filter, setFilter] = useState<Side>('subject_id')
  const query = useQuery(historyOf(userId, filter))
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
