import type { Page } from '@playwright/test'

/** Makes the browser save data. Code that is not painted then only loads on demand. */
export async function saveData(page: Page): Promise<void> {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true }),
  )
}
