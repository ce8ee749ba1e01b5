import type { Page } from '@playwright/test'

/** Blocks the event stream, so that the page only learns of changes from its requests, and the network becomes idle. */
export async function withoutStream(page: Page): Promise<void> {
  await page.route('**/api/v1/events', (route) => route.fulfill({ status: 204 }))
}
