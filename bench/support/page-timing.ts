import type { Browser, BrowserContext, CDPSession, Page, Request } from '@playwright/test'

/** Slow 4G, as developer tools of browsers define it. Throughput is in bytes per second, latency in milliseconds. */
const slow4G = { latency: 562.5, downloadThroughput: (1474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 }
const CPU_SLOWDOWN = 4

/** Times are milliseconds since the navigation. */
export interface PageTiming {
  bytes: number
  requests: number
  fcp: number
  lcp: number
  rows: number | null
  cls: number
}

declare global {
  interface Window {
    marks: { lcp: number; cls: number; rows: number | null; interactions: number[] }
  }
}

export async function newProfile(browser: Browser, token: string | null): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  if (token !== null) await context.addInitScript((value) => localStorage.setItem('access_token', value), token)
  await context.addInitScript(() => {
    const marks: Window['marks'] = { lcp: 0, cls: 0, rows: null, interactions: [] }
    window.marks = marks
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const follow = (type: string, note: (entry: PerformanceEntry) => void): void =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        type,
        buffered: true,
        ...(type === 'event' && { durationThreshold: 16 }),
      })
    follow('largest-contentful-paint', ({ startTime }) => (marks.lcp = startTime))
    follow('layout-shift', (entry) => (marks.cls += (entry as PerformanceEntry & { value: number }).value))
    follow('event', (entry) => {
      if ((entry as PerformanceEventTiming).interactionId) marks.interactions.push(entry.duration)
    })
    const lookForRows = (): void => {
      if (document.querySelector('tbody tr')) marks.rows = performance.now()
      else requestAnimationFrame(lookForRows)
    }
    lookForRows()
  })
  return context
}

export async function slowDown(page: Page, what: 'processor' | 'processor and network'): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  if (what === 'processor and network') {
    await cdp.send('Network.enable')
    await cdp.send('Network.emulateNetworkConditions', { offline: false, ...slow4G })
  }
  return cdp
}

export async function timePage(context: BrowserContext, url: string, isSlow: boolean): Promise<PageTiming> {
  const page = await context.newPage()
  try {
    if (isSlow) await slowDown(page, 'processor and network')
    const finished: Request[] = []
    let started = 0
    // The event stream stays open.
    page.on('request', (request) => (started += request.url().endsWith('/events') ? 0 : 1))
    page.on('requestfinished', (request) => finished.push(request))
    await page.goto(url)
    await page.locator('#root > :not([inert]) h1').waitFor()
    // The network is idle when no request is open and none starts within the latency of the slow network.
    for (let pause = 0, seen = -1; pause < 20 && (seen !== started || started > finished.length); pause += 1) {
      seen = started
      await page.waitForTimeout(700)
    }
    const sizes = await Promise.all(finished.map((request) => request.sizes()))
    const times = await page.evaluate(() => ({
      fcp: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
      lcp: window.marks.lcp,
      rows: window.marks.rows,
      cls: window.marks.cls,
    }))
    const bytes = sizes.reduce((sum, size) => sum + size.responseBodySize + size.responseHeadersSize, 0)
    return { bytes, requests: finished.length, ...times }
  } finally {
    await page.close()
  }
}

/** Types into the log-in form as soon as it is visible. @returns milliseconds since the navigation @throws if text is lost */
export async function timeTyping(context: BrowserContext, url: string): Promise<{ typing: number; submit: number }> {
  const page = await context.newPage()
  try {
    await slowDown(page, 'processor and network')
    const sent = page.waitForRequest('**/login/access-token')
    await page.goto(url, { waitUntil: 'commit' })
    const email = page.locator('input[name=username]')
    await email.press('a')
    const typing = await page.evaluate(() => performance.now())
    await email.pressSequentially('da@example.com')
    await page.locator('input[name=password]').fill('not this one')
    await page.keyboard.press('Enter')
    const request = await sent
    // The timing is incomplete until the response.
    await request.response()
    const submit = request.timing().startTime - (await page.evaluate(() => performance.timeOrigin))
    if ((await email.inputValue()) !== 'ada@example.com') throw new Error('Typed text was lost')
    return { typing, submit }
  } finally {
    await page.close()
  }
}

/** The longest time from an input to the next paint during `act` (INP), in steps of 8 milliseconds. */
export async function timeInteraction(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => (window.marks.interactions = []))
  await act()
  await page.waitForTimeout(500)
  return page.evaluate(() => Math.max(0, ...window.marks.interactions))
}
