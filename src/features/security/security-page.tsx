import { useQuery } from '@tanstack/react-query'
import { usersReadOwnSessionsOptions } from '@/client/@tanstack/react-query.gen'
import { usersEndOtherSessions, usersEndOwnSession } from '@/client/sdk.gen'
import type { ReactNode } from 'react'
import type { SessionPublic } from '@/client/types.gen'
import { ignoreNotFound, useConfirm } from '@/components/form/use-confirm'
import { DisappearingButton } from '@/components/disappearing-button'
import { Link } from '@/components/link'
import { PageHeader } from '@/components/page-header'
import { QueryBoundary } from '@/components/query-boundary'
import { SessionList } from '@/components/session-list'
import { buttonClass } from '@/components/ui/button'
import { useHasPassword, useInstance } from '@/data/api/use-instance'
import { describeUserAgent } from '@/lib/user-agent'

/** @param children more sections, above the sessions */
export function SecurityPage({ children }: { children?: ReactNode }) {
  // What the other sections depend on.
  const instance = useInstance()
  const query = useQuery(usersReadOwnSessionsOptions())
  return (
    <>
      <PageHeader title="Security" description="How you log in, and where you are logged in." />
      {instance.data?.password_log_in !== false && <Password />}
      <QueryBoundary query={instance} absent={null}>
        {() => children}
      </QueryBoundary>
      <section className="mt-8">
        <header className="mb-4 flex flex-wrap items-end justify-between gap-4">
          <div className="min-w-0">
            <h2 className="text-lg font-semibold">Sessions</h2>
            <p className="mt-1 text-muted-foreground">The browsers that are logged in to your account.</p>
          </div>
          {query.data?.data.some(({ current }) => !current) && <LogOutElsewhere />}
        </header>
        <QueryBoundary query={query} absent="This server does not show where you are logged in.">
          {({ data, count }) => (
            <SessionList
              sessions={data}
              count={count}
              action={(session) => !session.current && <LogOut session={session} />}
            />
          )}
        </QueryBoundary>
      </section>
    </>
  )
}

function Password() {
  const hasPassword = useHasPassword() !== false
  return (
    <section className="mt-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">Password</h2>
          <p className="mt-1 text-muted-foreground">
            {hasPassword ? 'A new one ends your other sessions.' : 'Your account has none.'}
          </p>
        </div>
        <Link to="/settings" search={{ tab: 'password' }} className={buttonClass('secondary')}>
          {hasPassword ? 'Change Password' : 'Set Password'}
        </Link>
      </header>
    </section>
  )
}

function LogOut({ session: { id, user_agent, address } }: { session: SessionPublic }) {
  const end = useConfirm({
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
  const end = useConfirm({
    send: () => usersEndOtherSessions(),
    meta: { success: 'All other sessions were ended.', invalidates: ['users'] },
  })
  return (
    <DisappearingButton variant="secondary" pending={end.pending} onClick={end.onConfirm}>
      Log Out Everywhere Else
    </DisappearingButton>
  )
}
