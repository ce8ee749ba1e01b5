import { type DialogSearch, toDialogSearch } from '@/lib/dialog-search'

const settingsTabs = ['general', 'password', 'appearance', 'dangerzone'] as const

type SettingsTab = (typeof settingsTabs)[number]

interface SettingsSearch extends DialogSearch {
  tab?: SettingsTab | undefined
}

/** Unknown tabs become General. `?tab=dangerzone&delete` opens the confirmation. */
export function toSettingsSearch(search: Record<string, unknown>): SettingsSearch {
  const tab = search.tab === undefined ? undefined : (settingsTabs.find((name) => name === search.tab) ?? 'general')
  const isDeleting = tab === 'dangerzone' && search.delete === ''
  return { tab, ...toDialogSearch(isDeleting ? { kind: 'delete', id: '' } : null) }
}
