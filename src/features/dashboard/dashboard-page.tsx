import { useEffect, useState } from 'react'
import { UserText } from '@/components/user-text'
import { readArrival, setArrival } from '@/lib/arrival'
import { useCurrentUser } from '@/lib/api/current-user'
import { Overview } from './overview'
import { WantedPage } from './wanted-page'

export function DashboardPage() {
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
      <WantedPage arrival={arrival} />
      <Overview />
    </>
  )
}
