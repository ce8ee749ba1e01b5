import type { Page } from '@playwright/test'

/** Makes the browser report such a network. */
const report = (page: Page, connection: { saveData?: boolean; effectiveType?: string }) =>
  page.addInitScript(
    (value) => Object.defineProperty(navigator, 'connection', { value, configurable: true }),
    connection,
  )

/** Makes the browser ask to save data. The application then preloads no code. */
export const saveData = (page: Page) => report(page, { saveData: true })

export const reportSlowNetwork = (page: Page) => report(page, { effectiveType: '3g' })
