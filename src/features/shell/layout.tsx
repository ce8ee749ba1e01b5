import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CapabilitiesContext, useReadCapabilities } from '@/data/api/capabilities'
import { CurrentUserContext, currentUserOptions } from '@/data/api/current-user'
import { preloadWhenIdle } from '@/data/preload'
import { readSidebarExpanded } from './sidebar-cookie'
import { Shell } from './shell'
import { ShellSkeleton } from './shell-skeleton'

export function Layout() {
  const { data: user } = useQuery(currentUserOptions)
  const capabilities = useReadCapabilities(user)
  useEffect(preloadWhenIdle, [])
  if (!user) return <ShellSkeleton expanded={readSidebarExpanded()} />
  return (
    <CurrentUserContext value={user}>
      <CapabilitiesContext value={capabilities}>
        <Shell key={user.id}>
          <Outlet />
        </Shell>
      </CapabilitiesContext>
    </CurrentUserContext>
  )
}
