import * as z from 'zod/mini'
import { flag, withDefault } from '@/lib/search-params'

export const settingsDialogs = { delete: flag }

export const firstTab = { tab: 'general' } as const

const parameters = z.object({
  tab: withDefault(z.enum(['general', 'password', 'appearance', 'dangerzone']), 'general'),
  ...settingsDialogs,
})

/** The search parameters of the settings. `?tab=dangerzone&delete` opens the confirmation, and no other tab does. */
export const settingsSearch = z.pipe(
  parameters,
  z.transform(({ tab, ...dialogs }: z.infer<typeof parameters>) => ({
    tab,
    delete: tab === 'dangerzone' ? dialogs.delete : undefined,
  })),
)
