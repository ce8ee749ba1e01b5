import type { Browser, Request } from '@playwright/test'
import { saveData } from './reported-network.ts'
import { withoutStream } from './without-stream.ts'

/** What a page loads with an empty cache, without interaction and preloading. */
export interface Weight {
  /** Total size of the compressed bodies. Headers are excluded, because their sizes vary. */
  bytes: number
  requests: number
  /** Size of each file in bytes. File names have no content hash. */
  files: Record<string, number>
}

export async function weighPage(browser: Browser, url: string, token: string | null): Promise<Weight> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, serviceWorkers: 'block' })
  try {
    const page = await context.newPage()
    if (token !== null) await page.addInitScript((value) => localStorage.setItem('access_token', value), token)
    await saveData(page)
    await withoutStream(page)
    const finished: Request[] = []
    page.on('requestfinished', (request) => {
      // Excluded, because the stream starts when the page is idle, which may be too late.
      if (!request.url().endsWith('/api/v1/events')) finished.push(request)
    })
    await page.goto(url)
    await page.locator('#root > :not([inert]) h1').waitFor()
    await page.waitForLoadState('networkidle')
    const files: Record<string, number> = {}
    for (const request of finished) {
      const { responseBodySize } = await request.sizes()
      const name = nameOf(request.url())
      files[name] = (files[name] ?? 0) + responseBodySize
    }
    const bytes = Object.values(files).reduce((sum, size) => sum + size, 0)
    return { bytes, requests: finished.length, files }
  } finally {
    await context.close()
  }
}

function nameOf(address: string): string {
  const { pathname } = new URL(address)
  return pathname.replace(/-[\w-]{8}(\.\w+)$/, '$1')
}
