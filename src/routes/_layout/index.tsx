import { createFileRoute } from '@tanstack/react-router'
import { WantedPage } from '@/features/shell/wanted-page'
import { useCurrentUser } from '@/lib/api/current-user'
import { UserText } from '@/components/user-text'

export const Route = createFileRoute('/_layout/')({
  staticData: { title: 'Dashboard' },
  component: Dashboard,
})

function Dashboard() {
  const user = useCurrentUser()
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, <UserText>{user.full_name || user.email}</UserText>
      </h1>
      <p className="mt-1 text-muted-foreground">Welcome back, nice to see you again!</p>
      <WantedPage />
    </>
  )
}
