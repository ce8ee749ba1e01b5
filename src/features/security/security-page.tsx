import { useQuery } from '@tanstack/react-query'
import { usersReadOwnSessionsOptions } from '@/client/@tanstack/react-query.gen'
import { usersEndOtherSessions, usersEndOwnSession } from '@/client/sdk.gen'
import type { SessionPublic } from '@/client/types.gen'
import { ignoreNotFound, useConfirmed } from '@/components/form/use-confirmed'
import { DisappearingButton } from '@/components/disappearing-button'
import { PageHeader } from '@/components/page-header'
import { QueryPart } from '@/components/query-part'
import { SessionList } from '@/components/session-list'
import { describeUserAgent } from '@/lib/user-agent'

export function SecurityPage() {
  const query = useQuery(usersReadOwnSessionsOptions())
  return (
    <>
      <PageHeader title="Security" description="The browsers that are logged in to your account.">
        {query.data?.data.some(({ current }) => !current) && <LogOutElsewhere />}
      </PageHeader>
      <div className="mt-6">
        <QueryPart query={query} absent="This server does not show where you are logged in.">
          {({ data, count }) => (
            <SessionList
              sessions={data}
              count={count}
              action={(session) => !session.current && <LogOut session={session} />}
            />
          )}
        </QueryPart>
      </div>
    </>
  )
}

function LogOut({ session: { id, user_agent, address } }: { session: SessionPublic }) {
  const end = useConfirmed({
    send: () => ignoreNotFound(usersEndOwnSession({ path: { session_id: id } })),
    meta: { success: 'The session was ended.', invalidates: ['users'] },
  })
  const name = [describeUserAgent(user_agent), address].filter((part) => part !== null).join(', ')
  return (
    <DisappearingButton
      variant="secondary"
      aria-label={`Log Out ${name}`}
      pending={end.pending}
      onClick={end.onConfirm}
    >
      Log Out
    </DisappearingButton>
  )
}

function LogOutElsewhere() {
  const end = useConfirmed({
    send: () => usersEndOtherSessions(),
    meta: { success: 'All other sessions were ended.', invalidates: ['users'] },
  })
  return (
    <DisappearingButton variant="destructive" pending={end.pending} onClick={end.onConfirm}>
      Log Out Everywhere Else
    </DisappearingButton>
  )
}
