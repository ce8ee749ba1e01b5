import type { ReactNode } from 'react'
import { UserText } from '@/components/ui/user-text'
import { useLogInState } from '@/data/return-to'
import { useCurrentUser } from '@/data/api/current-user'
import { Overview } from './overview'
import { ReturnLink } from './return-link'

export function DashboardPage({ activity }: { activity: ReactNode }) {
  const user = useCurrentUser()
  const logInState = useLogInState()
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, <UserText>{user.full_name || user.email}</UserText>
      </h1>
      <p className="mt-1 text-muted-foreground">Welcome back, nice to see you again!</p>
      <ReturnLink logInState={logInState} />
      <Overview activity={activity} />
    </>
  )
}
