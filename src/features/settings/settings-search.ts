import { type DialogSearch, type PageDialog, readDialog } from '@/lib/dialog-search'

const settingsTabs = ['general', 'password', 'appearance', 'dangerzone'] as const

type SettingsTab = (typeof settingsTabs)[number]

export type SettingsDialog = PageDialog<'delete', never>

interface SettingsSearch extends DialogSearch<SettingsDialog> {
  tab?: SettingsTab | undefined
}

const readSettingsDialog = readDialog(['delete'])

/** Unknown tabs become General. `?tab=dangerzone&delete` opens the confirmation. */
export function toSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const tab = search.tab === undefined ? undefined : (settingsTabs.find((name) => name === search.tab) ?? 'general')
  return { tab, ...readSettingsDialog(tab === 'dangerzone' ? search : {}) }
}
