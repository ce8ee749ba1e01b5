import type { BrowserContextOptions, Page } from '@playwright/test'
import { button, dialogButton, rowAction, rowMenu } from '../support/gestures.ts'
import { answerFixed } from '../support/fixed-answers.ts'
import { expect, test } from './fixtures.ts'

// Screenshots catch a broken layout. They have half the size of the screen, so that font rendering, which differs
// between machines, has little effect. After an intended change: npm run test:e2e -- pictures --update-snapshots

interface Picture {
  url: string
  screen: keyof typeof screens
  theme: 'light' | 'dark'
  /** Brings the page into its state. */
  act?: (page: Page) => Promise<unknown>
}

test.setTimeout(60_000)

const touch = { isMobile: true, hasTouch: true }
const screens = {
  wide: { viewport: { width: 1280, height: 800 } },
  full: { viewport: { width: 1920, height: 1080 } },
  tablet: { viewport: { width: 768, height: 1024 }, ...touch },
  phone: { viewport: { width: 390, height: 844 }, ...touch },
  turned: { viewport: { width: 844, height: 390 }, ...touch },
} satisfies Record<string, BrowserContextOptions>

const pictures: Record<string, Picture> = {
  login: { url: '/login', screen: 'wide', theme: 'light' },
  'signup-invalid': { url: '/signup', screen: 'phone', theme: 'dark', act: button('Sign Up') },
  dashboard: { url: '/', screen: 'wide', theme: 'dark', act: (page) => page.getByText('Newest users').waitFor() },
  users: { url: '/users', screen: 'wide', theme: 'light' },
  'users-full': { url: '/users', screen: 'full', theme: 'dark' },
  'users-tablet': { url: '/users', screen: 'tablet', theme: 'light' },
  'users-phone': { url: '/users', screen: 'phone', theme: 'dark' },
  'users-turned': { url: '/users', screen: 'turned', theme: 'light' },
  'users-menu': { url: '/users', screen: 'wide', theme: 'dark', act: rowMenu },
  'users-not-found': { url: '/users?q=nobody', screen: 'wide', theme: 'light' },
  'add-user': { url: '/users', screen: 'wide', theme: 'light', act: dialogButton('Add User') },
  'add-user-phone': { url: '/users', screen: 'phone', theme: 'light', act: dialogButton('Add User') },
  'delete-user-turned': {
    url: '/users',
    screen: 'turned',
    theme: 'dark',
    act: (page) => rowAction(page, 'Delete'),
  },
  user: { url: '/users/01890000-0000-7000-8000-000000000002', screen: 'wide', theme: 'light' },
  items: { url: '/items?page=2', screen: 'wide', theme: 'dark' },
  'items-phone': { url: '/items', screen: 'phone', theme: 'light' },
  'sidebar-phone': { url: '/items', screen: 'phone', theme: 'dark', act: dialogButton('Toggle sidebar') },
  audit: { url: '/audit', screen: 'wide', theme: 'light' },
  'audit-phone': { url: '/audit', screen: 'phone', theme: 'light' },
  settings: { url: '/settings', screen: 'wide', theme: 'light' },
  'not-found': { url: '/no/such/page', screen: 'phone', theme: 'light' },
}

for (const [screen, settings] of Object.entries(screens)) {
  for (const theme of ['light', 'dark'] as const) {
    const chosen = Object.entries(pictures).filter(
      ([, picture]) => picture.screen === screen && picture.theme === theme,
    )
    if (chosen.length === 0) continue
    test(`${screen}, ${theme}: pages look as they did`, { tag: '@wide' }, async ({ browser, baseURL }) => {
      const context = await browser.newContext({
        baseURL: baseURL ?? '',
        ...settings,
        colorScheme: theme,
        deviceScaleFactor: 0.5,
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'UTC',
      })
      await answerFixed(context)
      await context.clock.setFixedTime('2026-11-22T12:00:00Z')
      for (const [name, picture] of chosen) {
        const page = await context.newPage()
        await open(page, picture)
        await expect
          .soft(page)
          .toHaveScreenshot(`${name}.png`, { scale: 'device', threshold: 0.25, maxDiffPixelRatio: 0.01 })
        await page.close()
      }
      await context.close()
    })
  }
}

async function open(page: Page, { url, act }: Picture): Promise<void> {
  const token = /^\/(login|signup|no)/.test(url) ? '' : 'some-token'
  await page.addInitScript((value) => localStorage.setItem('access_token', value), token)
  await page.goto(url)
  await page.locator('#root > [inert]').waitFor({ state: 'detached' })
  await page.locator('h1').waitFor()
  // The monospace font differs between machines.
  await page.addStyleTag({ content: 'code { visibility: hidden }' })
  await page.evaluate(() => document.fonts.load('1em Geist'))
  await act?.(page)
}
