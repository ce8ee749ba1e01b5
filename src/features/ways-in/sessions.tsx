import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usersEndOtherSessions, usersEndOwnSession } from '@/client/sdk.gen'
import type { SessionPublic, SessionsPublic } from '@/client/types.gen'
import { DisappearingButton } from '@/components/disappearing-button'
import { ignoreNotFound, useConfirm } from '@/components/form/use-confirm'
import { QueryBoundary } from '@/components/query-boundary'
import { RowsSkeleton, Skeleton } from '@/components/skeleton'
import { Badge } from '@/components/ui/badge'
import type { ButtonProps } from '@/components/ui/button'
import { sessionsOf } from '@/data/api/ways-in'
import { countText } from '@/lib/range-text'
import { describeUserAgent } from '@/lib/user-agent'
import { EntryList, LastUse } from './entry-list'
import { idOf, type Owner, WaysSection } from './ways-section'

export function Sessions({ owner, endAll }: { owner: Owner; endAll?: ReactNode }) {
  const query = useQuery(sessionsOf(idOf(owner)))
  const isOwn = owner === 'me'
  const { data: sessions = [], count = 0 }: Partial<SessionsPublic> = query.data ?? {}
  return (
    <WaysSection
      owner={owner}
      title="Sessions"
      text="The browsers that are logged in to your account."
      link="Your sessions"
      action={count > 0 && endAll}
    >
      <QueryBoundary
        query={query}
        absent={isOwn ? 'This server does not show where you are logged in.' : 'This server does not show sessions.'}
        waiting={isOwn ? <Skeleton className="h-17" /> : <RowsSkeleton />}
      >
        {() => (
          <>
            <EntryList
              label="Sessions"
              noun="session"
              entries={sessions}
              count={count}
              empty={isOwn ? undefined : 'Not logged in anywhere.'}
              button={
                isOwn &&
                sessions.some(({ current }) => !current) && (
                  <EndButton send={() => usersEndOtherSessions()} success="All other sessions were ended.">
                    Log Out Everywhere Else
                  </EndButton>
                )
              }
              title={titleOf}
              facts={factsOf}
              action={(session) => isOwn && !session.current && <LogOut session={session} />}
            />
            {sessions.length < count && (
              <p className="mt-2 text-muted-foreground">
                {`The last used ${sessions.length} of ${countText(count, 'session')} are shown.`}
              </p>
            )}
          </>
        )}
      </QueryBoundary>
    </WaysSection>
  )
}

const titleOf = ({ user_agent, current }: SessionPublic) => (
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
    <EndButton
      send={() => ignoreNotFound(usersEndOwnSession({ path: { session_id: id } }))}
      success="The session was ended."
      aria-label={`Log Out ${name}`}
    >
      Log Out
    </EndButton>
  )
}

interface EndButtonProps extends ButtonProps {
  send: () => Promise<unknown>
  success: string
}

function EndButton({ send, success, ...props }: EndButtonProps) {
  const { pending, onConfirm } = useConfirm({ send, meta: { success, invalidates: ['users'] } })
  return <DisappearingButton {...props} variant="secondary" pending={pending} onClick={onConfirm} />
}
