// npm run bench:press measures the time from a press to its content on slow 4G with a slow processor. Options, after `--`:
// `--runs 3` is the number of presses of each kind, and `--write` saves the results. To measure another commit, copy this
// file and bench/support/press-timing.ts into a clone of it, and run `node bench/press.ts`.
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { buildSpaIfStale } from '../scripts/build-spa.ts'
import { launchBrowser } from '../scripts/find-browser.ts'
import { quantile } from '../tests/support/measure.ts'
import { describeMachine, publish } from './support/figures.ts'
import { newProfile, slowDown } from './support/page-timing.ts'
import { type Shown, timePress } from './support/press-timing.ts'
import { startSeededServer } from './support/seeded-server.ts'

const ROWS = 1000

const { values: options } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, write: { type: 'boolean', default: false } },
})
const runs = Number(options.runs) || 20

buildSpaIfStale()
const server = await startSeededServer(ROWS)
const browser = await launchBrowser()
const times = new Map<string, number[]>()
try {
  for (let run = 0; run < runs; run += 1) await measure()
  const table = {
    head: ['Press', 'p50 ms', 'p95 ms'],
    rows: Array.from(times, ([name, all]) => [name, rounded(quantile(all, 0.5)), rounded(quantile(all, 0.95))]),
  }
  const intro = `${describeMachine()}; Chromium ${browser.version()}, 1280 × 800. ${runs} presses of each kind.`
  publish('press', [intro, table], options.write)
} finally {
  await browser.close()
  await server.stop()
}

async function measure(): Promise<void> {
  const context = await newProfile(browser, server.superuser.token)
  const page = await context.newPage()
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const note = async (name: string, ...press: [control: Parameters<typeof timePress>[1], shown: Shown]) => {
    times.set(name, [...(times.get(name) ?? []), await timePress(page, ...press)])
  }
  await slowDown(page, 'processor and network')

  await page.goto(`${server.url}/items?page=2`)
  const title = page.locator('tbody [data-title] a').first()
  const name = (await title.textContent()) ?? ''
  await note('a row’s Edit dialog', title, { selector: '[role=dialog] [name=title]', text: name })
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  await note('the next page', link('Next page'), await otherRows(page))
  await note('the previous page', link('Previous page'), await otherRows(page))

  await link('Users').click()
  await page.locator('tbody [data-title] a').first().waitFor()
  await note('another list that was seen', link('Items'), { selector: 'tbody [data-label=Description]' })
  await note('a list, once more', link('Users'), { selector: 'tbody [data-label=Email]' })
  const row = page.locator('tbody tr:nth-child(3)')
  const address = (await row.locator('[data-label=Email]').textContent()) ?? ''
  await note('a user’s page', row.locator('[data-title] a'), { selector: '[data-head]', text: address.trim() })
  await note('back to the list', 'back', { selector: 'tbody [data-label=Email]' })
  await context.close()
}

async function otherRows(page: Page): Promise<Shown> {
  const id = await page.locator('tbody tr').first().getAttribute('data-row')
  return { selector: `tbody tr:first-child:not([data-row="${id}"])` }
}

function rounded(time: number): string {
  return Math.round(time).toLocaleString('en')
}
