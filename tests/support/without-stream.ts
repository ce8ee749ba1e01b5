import type { Page } from '@playwright/test'

/** As of a back end without the stream of events: the page learns of changes only by its other requests, and gets idle. */
export async function withoutStream(page: Page): Promise<void> {
  await page.route('**/api/v1/events', (route) => route.fulfill({ status: 204 }))
}
