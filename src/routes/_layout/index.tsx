import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import { readArrival, setArrival } from '@/lib/arrival'
import { useCurrentUser } from '@/lib/api/current-user'
import { lazyPart } from '@/components/lazy-part'
import { UserText } from '@/components/user-text'

export const Route = createFileRoute('/_layout/')({
  staticData: { title: 'Dashboard' },
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(usersReadOverviewOptions())
    void overview.preload().catch(() => undefined)
  },
  component: Dashboard,
})

const wantedPage = lazyPart(async () => (await import('@/features/shell/wanted-page')).WantedPage)

const overview = lazyPart(
  async () => (await import('@/features/dashboard/overview')).Overview,
  // As where the overview itself does not come.
  () => null,
)

function Dashboard() {
  const user = useCurrentUser()
  const [arrival] = useState(readArrival)
  // The link is only offered once.
  useEffect(() => setArrival({}), [])
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, <UserText>{user.full_name || user.email}</UserText>
      </h1>
      <p className="mt-1 text-muted-foreground">Welcome back, nice to see you again!</p>
      {arrival.wanted && <wantedPage.Part arrival={arrival} />}
      <overview.Part />
    </>
  )
}
