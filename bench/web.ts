// npm run bench:web -- --runs 3 --write measures pages and interactions in a browser. `--lighthouse DIR` is the folder of
// Lighthouse if it is not on the PATH, and `--only interactions` skips the pages and writes nothing.
import { parseArgs } from 'node:util'
import { buildSpaIfStale } from '../scripts/build-spa.ts'
import { launchBrowser } from '../scripts/find-browser.ts'
import { medianOf } from '../tests/support/measure.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { fillLists } from '../tests/support/weighed.ts'
import { describeMachine, publish, toMarkdownTable } from './support/figures.ts'
import { findLighthouse, runLighthouse } from './support/lighthouse.ts'
import { newProfile, type PageTiming, slowDown, timeInteraction, timePage, timeTyping } from './support/page-timing.ts'

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    lighthouse: { type: 'string' },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
})
const runs = Number(options.runs) || 5
const onlyInteractions = options.only === 'interactions'
const lighthouse = onlyInteractions ? undefined : findLighthouse(options.lighthouse)
const paths = ['/login', '/signup', '/', '/items', '/users', '/settings']
const guestPaths = new Set(['/login', '/signup'])

const rounded = (time: number): string => Math.round(time).toLocaleString('en')

buildSpaIfStale()
const server = await startServer()
const browser = await launchBrowser()
const token = await fillLists(server.url)
try {
  const intro = `${describeMachine()}; Chromium ${browser.version()}. Medians of ${runs} runs`
  const interactions = { head: ['Interaction, slow processor', 'INP ms'], rows: await measureInteractions() }
  if (onlyInteractions) console.log(toMarkdownTable(interactions))
  else {
    const head = ['Page', 'Cache', 'Speed', 'Bytes', 'Requests', 'FCP ms', 'LCP ms', 'First row ms', 'CLS']
    const pages = { head, rows: await measurePages() }
    const typing = { head: ['Log-in form, cold and slow', 'ms from navigation'], rows: await measureTyping() }
    publish('web', [`${intro}, 1280 × 800.`, pages, interactions, typing], options.write)
  }
  if (lighthouse) {
    const rows = [
      await runLighthouse(lighthouse, { url: server.url, path: '/login' }, null, runs),
      await runLighthouse(lighthouse, { url: server.url, path: '/items' }, token, runs),
    ]
    const head = ['Page', 'Performance', 'Accessibility', 'Best practices', 'SEO', 'LCP ms', 'Blocking ms']
    const { version } = rows[0] ?? {}
    const table = { head, rows: rows.map(({ cells }) => cells) }
    publish('lighthouse', [`Lighthouse ${version} for a phone; ${intro}.`, table], options.write)
  } else if (!onlyInteractions) {
    console.log(
      'Lighthouse is not installed: `npm install --prefix DIR lighthouse`, then `npm run bench:web -- --lighthouse DIR`.',
    )
  }
} finally {
  await browser.close()
  await server.stop()
  removeData(server.dataDir)
}

/** Measures each page with an empty cache (cold), and with the cache that the first visit fills (warm). */
async function measurePages(): Promise<string[][]> {
  const rows: string[][] = []
  for (const path of paths) {
    for (const isSlow of [false, true]) {
      const timings: Record<'cold' | 'warm', PageTiming[]> = { cold: [], warm: [] }
      for (let run = 0; run < runs; run += 1) {
        const context = await newProfile(browser, guestPaths.has(path) ? null : token)
        timings.cold.push(await timePage(context, server.url + path, isSlow))
        timings.warm.push(await timePage(context, server.url + path, isSlow))
        await context.close()
      }
      for (const [cache, all] of Object.entries(timings)) {
        const of = (key: keyof PageTiming): number => medianOf(all.map((timing) => timing[key] ?? Number.NaN))
        const rowsAt = of('rows')
        const numbers = [
          of('bytes').toLocaleString('en'),
          String(of('requests')),
          rounded(of('fcp')),
          rounded(of('lcp')),
        ]
        const firstRow = Number.isNaN(rowsAt) ? '' : rounded(rowsAt)
        rows.push([path, cache, isSlow ? 'slow' : 'full', ...numbers, firstRow, of('cls').toFixed(3)])
      }
    }
  }
  return rows
}

async function measureTyping(): Promise<string[][]> {
  const timings: Awaited<ReturnType<typeof timeTyping>>[] = []
  for (let run = 0; run < runs; run += 1) {
    const context = await newProfile(browser, null)
    timings.push(await timeTyping(context, `${server.url}/login`))
    await context.close()
  }
  return [
    ['typed text is kept', rounded(medianOf(timings.map(({ typing }) => typing)))],
    ['the form is sent', rounded(medianOf(timings.map(({ submit }) => submit)))],
  ]
}

async function measureInteractions(): Promise<string[][]> {
  const context = await newProfile(browser, token)
  const page = await context.newPage()
  await slowDown(page, 'processor')
  const role = page.getByRole.bind(page)
  const secondPage = role('link', { name: 'Page 2', exact: true }).and(page.locator('[aria-current=page]'))
  const interactions = [
    ['opening a dialog', '/items', role('button', { name: 'Add Item' }), role('dialog')],
    ['opening a row menu, the first time', '/items', role('button', { name: /^Actions for/ }).first(), role('menu')],
    ['switching a settings tab', '/settings', role('tab', { name: 'Password' }), page.getByLabel('Current Password')],
    ['changing a page', '/items', role('link', { name: 'Next page' }), secondPage],
  ] as const
  const rows: string[][] = []
  for (const [name, path, control, result] of interactions) {
    const times: number[] = []
    for (let run = 0; run < runs; run += 1) {
      await page.goto(server.url + path)
      await control.hover()
      await page.waitForTimeout(2000)
      times.push(
        await timeInteraction(page, async () => {
          await control.click()
          await result.waitFor()
        }),
      )
    }
    rows.push([name, String(medianOf(times))])
  }
  await context.close()
  return rows
}
