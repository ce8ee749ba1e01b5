import { UserText } from '@/components/ui/user-text'
import { useArrival } from '@/lib/arrival'
import { useCurrentUser } from '@/lib/api/current-user'
import { Overview } from './overview'
import { WantedPage } from './wanted-page'

export function DashboardPage() {
  const user = useCurrentUser()
  const arrival = useArrival()
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, <UserText>{user.full_name || user.email}</UserText>
      </h1>
      <p className="mt-1 text-muted-foreground">Welcome back, nice to see you again!</p>
      <WantedPage arrival={arrival} />
      <Overview />
    </>
  )
}
