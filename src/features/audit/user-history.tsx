import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { tabClass, textLink } from '@/components/ui/classes'
import { historyOf, type Side } from './audit-queries'
import { AuditTable } from './audit-table'

const sides: [Side, string][] = [
  ['subject_id', 'Done to this user'],
  ['actor_id', 'Done by this user'],
]

/** The last entries of the audit log about a user, or of what the user did. */
export function UserHistory({ userId }: { userId: string }) {
  const [side, setSide] = useState<Side>('subject_id')
  const query = useQuery(historyOf(userId, side))
  return (
    <>
      {/* Without the tabs of the settings, whose code the lists would load, too. */}
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset is for inputs */}
      <div role="group" aria-label="Which entries" className="mb-4 flex flex-wrap border-b md:gap-x-2 print:hidden">
        {sides.map(([name, label]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === side}
            className={tabClass('aria-pressed')}
            onClick={() => setSide(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <QueryBoundary query={query} absent="This server keeps no audit log." waiting={<RowsSkeleton />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted-foreground">Nothing has happened yet.</p>
          ) : (
            <>
              <AuditTable label="History" entries={data} side={side} />
              <p className="mt-2">
                <Link to="/audit" search={{ [side]: userId }} className={textLink}>
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
