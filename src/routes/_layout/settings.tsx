import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { screens } from '@/lib/screens'
import { settingsDialogs, settingsSearch } from '@/features/settings/settings-search'

export const Route = createFileRoute('/_layout/settings')({
  staticData: { ...screens['/settings'], dialogs: Object.keys(settingsDialogs) },
  validateSearch: settingsSearch,
  component: lazyPage(async () => (await import('@/features/settings/settings-page')).SettingsPage),
})
