import { createFileRoute } from '@tanstack/react-router'
import { SettingsPage } from '@/features/settings/settings-page'
import { toSettingsSearch } from '@/features/settings/settings-search'

export const Route = createFileRoute('/_layout/settings')({
  staticData: { title: 'Settings' },
  validateSearch: toSettingsSearch,
  component: Settings,
})

function Settings() {
  const tab = Route.useSearch({ select: (search) => search.tab ?? 'general' })
  const navigate = Route.useNavigate()
  return (
    <SettingsPage
      tab={tab}
      onTabChange={(next) => void navigate({ search: { tab: next }, replace: true, resetScroll: false })}
    />
  )
}
