const settingsTabs = ['general', 'password', 'appearance', 'dangerzone'] as const

export type SettingsTab = (typeof settingsTabs)[number]

/** The tab a search parameter means; anything else is General (SPEC 2). */
export function toSettingsTab(value: unknown): SettingsTab {
  return settingsTabs.find((tab) => tab === value) ?? 'general'
}
