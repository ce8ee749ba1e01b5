import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { SettingsPage } from '@/features/settings/settings-page'
import { type SettingsTab, toSettingsTab } from '@/features/settings/settings-tab'
import { currentUserOptions } from '@/lib/api/current-user'
import { endSession } from '@/lib/session'

export const Route = createFileRoute('/_layout/settings')({
  staticData: { title: 'Settings' },
  validateSearch: ({ tab }): { tab?: SettingsTab } => (tab === undefined ? {} : { tab: toSettingsTab(tab) }),
  component: Settings,
})

function Settings() {
  const { tab = 'general' } = Route.useSearch()
  const navigate = Route.useNavigate()
  const { data: user } = useQuery(currentUserOptions)
  if (!user) return null
  return (
    <SettingsPage
      user={user}
      tab={tab}
      onTabChange={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
      onDeleted={endSession}
    />
  )
}
