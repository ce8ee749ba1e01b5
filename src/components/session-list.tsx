import type { ReactNode } from 'react'
import type { SessionPublic } from '@/client/types.gen'
import { countText } from '@/lib/range-text'
import { describeUserAgent } from '@/lib/user-agent'
import { TimeAgo } from './time-ago'
import { Badge } from './ui/badge'

interface SessionListProps {
  sessions: readonly SessionPublic[]
  /** The number of all sessions, of which a server may list only some. */
  count: number
  action?: (session: SessionPublic) => ReactNode
}

export function SessionList({ sessions, count, action }: SessionListProps) {
  return (
    <>
      <ul aria-label="Sessions" className="divide-y border-y">
        {sessions.map((session) => (
          <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-x-2 font-medium">
                <span title={session.user_agent ?? undefined}>{describeUserAgent(session.user_agent)}</span>
                {session.current && <Badge variant="outline">This device</Badge>}
              </p>
              <p className="wrap-anywhere text-muted-foreground">
                <span>{session.address ?? 'Unknown address'}</span> · Last used <TimeAgo time={session.last_used_at} />
              </p>
            </div>
            {action?.(session)}
          </li>
        ))}
      </ul>
      {sessions.length < count && (
        <p className="mt-2 text-muted-foreground">
          {`The last used ${sessions.length} of ${countText(count, 'session')} are shown.`}
        </p>
      )}
    </>
  )
}
