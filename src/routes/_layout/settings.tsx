import { createFileRoute } from '@tanstack/react-router'
import { lazyPage } from '@/components/lazy'
import { toSettingsSearch } from '@/features/settings/settings-search'

export const Route = createFileRoute('/_layout/settings')({
  staticData: { title: 'Settings', isEmptyAtFirst: true },
  validateSearch: toSettingsSearch,
  component: lazyPage(async () => (await import('@/features/settings/settings-page')).SettingsPage),
})
