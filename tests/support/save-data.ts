import type { Page } from '@playwright/test'

/** Makes the browser ask to save data. The application then preloads no code. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
  )
}
