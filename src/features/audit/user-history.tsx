import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from '@/components/link'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { textLink } from '@/components/ui/classes'
import { Tabs } from '@/components/ui/tabs'
import { historyOf, type Side } from './audit-queries'
import { AuditTable } from './audit-table'

const sides: { value: Side; label: string }[] = [
  { value: 'subject_id', label: 'About this user' },
  { value: 'actor_id', label: 'By this user' },
]

export function UserHistory({ userId }: { userId: string }) {
  const [shown, setShown] = useState<Side>('subject_id')
  const tabs = sides.map((side) => ({
    ...side,
    content: <Entries userId={userId} side={side.value} isShown={side.value === shown} />,
  }))
  return <Tabs label="Which entries" value={shown} onValueChange={setShown} tabs={tabs} />
}

function Entries({ userId, side, isShown }: { userId: string; side: Side; isShown: boolean }) {
  const query = useQuery({ ...historyOf(userId, side), enabled: isShown })
  return (
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
  )
}
