import * as z from 'zod/mini'
import { flag } from '@/lib/search-params'

export const settingsDialogs = { delete: flag }

const parameters = z.object({
  // oxlint-disable-next-line promise/valid-params -- not a promise
  tab: z.catch(z.optional(z.enum(['general', 'password', 'appearance', 'dangerzone'])), 'general'),
  ...settingsDialogs,
})

/** The search parameters of the settings. Only `?tab=dangerzone&delete` opens the confirmation. */
export const settingsSearch = z.pipe(
  parameters,
  z.transform(({ tab, ...dialogs }: z.infer<typeof parameters>) => ({
    tab,
    delete: tab === 'dangerzone' ? dialogs.delete : undefined,
  })),
)
