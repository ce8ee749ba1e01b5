import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usersEndOtherSessions, usersEndOwnSession } from '@/client/sdk.gen'
import type { SessionPublic } from '@/client/types.gen'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { RequestButton } from '@/components/buttons'
import { RowsSkeleton, Skeleton } from '@/components/skeleton'
import { Badge } from '@/components/ui/badge'
import { sessionsOf } from '@/data/api/ways-in'
import { describeUserAgent } from '@/lib/user-agent'
import { EntriesSection, LastUse, idOf, type Owner } from './ways-section'

export function Sessions({ owner, endAll }: { owner: Owner; endAll?: ReactNode }) {
  const query = useQuery(sessionsOf(idOf(owner)))
  const isOwn = owner === 'me'
  return (
    <EntriesSection
      owner={owner}
      title="Sessions"
      text="The browsers that are logged in to your account."
      link="Your sessions"
      action={Boolean(query.data?.count) && endAll}
      query={query}
      absent={isOwn ? 'This server does not show where you are logged in.' : 'This server does not show sessions.'}
      waiting={isOwn ? <Skeleton className="h-17" /> : <RowsSkeleton />}
      noun="session"
      empty={isOwn ? undefined : 'Not logged in anywhere.'}
      ownButton={
        query.data?.data.some(({ current }) => !current) && (
          <RequestButton
            send={() => usersEndOtherSessions()}
            meta={{ success: 'All other sessions were ended.', invalidates: ['users'] }}
          >
            Log Out Everywhere Else
          </RequestButton>
        )
      }
      heading={headingOf}
      facts={factsOf}
      buttons={(session) => isOwn && !session.current && <LogOut session={session} />}
    />
  )
}

const headingOf = ({ user_agent, current }: SessionPublic) => (
  <>
    <span title={user_agent ?? undefined}>{describeUserAgent(user_agent)}</span>
    {current && <Badge variant="outline">This device</Badge>}
  </>
)

const factsOf = ({ address, last_used_at }: SessionPublic) => (
  <>
    <span>{address ?? 'Unknown address'}</span> · <LastUse time={last_used_at} />
  </>
)

function LogOut({ session: { id, user_agent, address } }: { session: SessionPublic }) {
  const name = [describeUserAgent(user_agent), address].filter((part) => part !== null).join(', ')
  return (
    <RequestButton
      send={() => ignoreNotFound(usersEndOwnSession({ path: { session_id: id } }))}
      meta={{ success: 'The session was ended.', invalidates: ['users'] }}
      aria-label={`Log Out ${name}`}
    >
      Log Out
    </RequestButton>
  )
}
