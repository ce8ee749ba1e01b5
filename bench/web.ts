import { parseArgs } from 'node:util'
import type { Browser } from '@playwright/test'
import { buildSpaIfStale } from '../scripts/build-spa.ts'
import { launchBrowser } from '../scripts/find-browser.ts'
import { removeData, startServer } from '../tests/support/running-server.ts'
import { fillLists } from '../tests/support/weighed.ts'
import { findLighthouse, type LighthouseResult, runLighthouse } from './support/lighthouse.ts'
import { medianOf } from '../tests/support/measure.ts'
import { describeMachine } from './support/machine.ts'
import { tableOf, writeBetweenMarkers, writeJson } from './support/figures.ts'
import { newProfile, type PageTiming, slowDown, timeInteraction, timePage, timeTyping } from './support/page-timing.ts'

// npm run bench:web measures pages and interactions in a browser. Options, after `--`:
// `--runs 3`: the number of runs. `--write`: updates the tables in docs/performance.md.
// `--lighthouse DIR`: where Lighthouse is installed, if not on the PATH.
// `--only interactions`: skips the pages and writes nothing.

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
const paths = onlyInteractions ? [] : ['/login', '/signup', '/', '/items', '/users', '/settings']

const guestPaths = new Set(['/login', '/signup'])

buildSpaIfStale()
const server = await startServer()
const browser = await launchBrowser()
try {
  const token = await fillLists(server.url)
  const pages = await measurePages(browser, server.url, token)
  const interactions = await measureInteractions(browser, server.url, token)
  const environment = { ...describeMachine(), browser: `Chromium ${browser.version()}`, runs }
  const typing = onlyInteractions ? null : await measureTyping(browser, server.url)
  writeJson('bench/results/web.json', { environment, pages, interactions, typing })
  const tables = describe(environment, pages, interactions, typing)
  console.log(tables)
  if (options.write && !onlyInteractions) writeBetweenMarkers('docs/performance.md', 'bench:web', tables)
  if (lighthouse) {
    const table = describeLighthouse(environment, [
      await runLighthouse(lighthouse, { url: server.url, path: '/login' }, null, runs),
      await runLighthouse(lighthouse, { url: server.url, path: '/items' }, token, runs),
    ])
    console.log(table)
    if (options.write) writeBetweenMarkers('docs/performance.md', 'bench:web Lighthouse', table)
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

interface PageResult extends PageTiming {
  path: string
  /** Warm: the same page was loaded before. */
  cache: 'cold' | 'warm'
  isSlow: boolean
}

async function measurePages(chrome: Browser, url: string, token: string): Promise<PageResult[]> {
  const results: PageResult[] = []
  for (const path of paths) {
    for (const isSlow of [false, true]) {
      const cold: PageTiming[] = []
      const warm: PageTiming[] = []
      for (let run = 0; run < runs; run += 1) {
        const context = await newProfile(chrome, guestPaths.has(path) ? null : token)
        cold.push(await timePage(context, url + path, isSlow))
        warm.push(await timePage(context, url + path, isSlow))
        await context.close()
      }
      results.push({ path, cache: 'cold', isSlow, ...medians(cold) }, { path, cache: 'warm', isSlow, ...medians(warm) })
    }
  }
  return results
}

interface Typing {
  typing: number
  submit: number
}

async function measureTyping(chrome: Browser, url: string): Promise<Typing> {
  const timings: Typing[] = []
  for (let run = 0; run < runs; run += 1) {
    const context = await newProfile(chrome, null)
    timings.push(await timeTyping(context, `${url}/login`))
    await context.close()
  }
  return {
    typing: medianOf(timings.map(({ typing }) => typing)),
    submit: medianOf(timings.map(({ submit }) => submit)),
  }
}

/** With a slow processor, and after the code has loaded. */
async function measureInteractions(chrome: Browser, url: string, token: string): Promise<Record<string, number>> {
  const opened: number[] = []
  const menus: number[] = []
  const switched: number[] = []
  const paged: number[] = []
  const context = await newProfile(chrome, token)
  const page = await context.newPage()
  await slowDown(page, 'processor')
  for (let run = 0; run < runs; run += 1) {
    await page.goto(`${url}/items`)
    const add = page.getByRole('button', { name: 'Add Item' })
    await add.hover()
    await page.waitForTimeout(2000)
    opened.push(
      await timeInteraction(page, async () => {
        await add.click()
        await page.getByRole('dialog').waitFor()
      }),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const menu = page.getByRole('button', { name: /^Actions for/ }).first()
    menus.push(
      await timeInteraction(page, async () => {
        await menu.click()
        await page.getByRole('menu').waitFor()
      }),
    )
    await page.keyboard.press('Escape')
    const next = page.getByRole('link', { name: 'Next page' })
    await next.hover()
    await page.waitForTimeout(1000)
    paged.push(
      await timeInteraction(page, async () => {
        await next.click()
        await page.getByRole('link', { name: 'Page 2', exact: true }).and(page.locator('[aria-current=page]')).waitFor()
      }),
    )
    await page.goto(`${url}/settings`)
    const tab = page.getByRole('tab', { name: 'Password' })
    await tab.hover()
    await page.waitForTimeout(2000)
    switched.push(
      await timeInteraction(page, async () => {
        await tab.click()
        await page.getByLabel('Current Password').waitFor()
      }),
    )
  }
  await context.close()
  return {
    'opening a dialog': medianOf(opened),
    'opening a row menu, the first time': medianOf(menus),
    'switching a settings tab': medianOf(switched),
    'changing a page': medianOf(paged),
  }
}

function medians(timings: readonly PageTiming[]): PageTiming {
  const of = (key: keyof PageTiming) => medianOf(timings.map((timing) => timing[key] ?? 0))
  return {
    bytes: of('bytes'),
    requests: of('requests'),
    fcp: of('fcp'),
    lcp: of('lcp'),
    rows: timings.every(({ rows }) => rows === null) ? null : of('rows'),
    cls: of('cls'),
  }
}

function describe(
  environment: ReturnType<typeof describeMachine> & { browser: string },
  pages: readonly PageResult[],
  interactions: Record<string, number>,
  typing: Typing | null,
): string {
  const { machine, node, browser: version, date } = environment
  const rows = pages.map((page) => [
    page.path,
    page.cache,
    page.isSlow ? 'slow' : 'full',
    page.bytes.toLocaleString('en'),
    String(page.requests),
    ...[page.fcp, page.lcp, page.rows].map((time) => (time === null ? '' : Math.round(time).toLocaleString('en'))),
    page.cls.toFixed(3),
  ])
  return [
    `Medians of ${runs} runs, ${date}: ${machine}; Node ${node}, ${version}, 1280 × 800.`,
    '',
    tableOf(['Page', 'Cache', 'Speed', 'Bytes', 'Requests', 'FCP ms', 'LCP ms', 'First row ms', 'CLS'], rows),
    '',
    tableOf(
      ['Interaction, slow processor', 'INP ms'],
      Object.entries(interactions).map(([name, time]) => [name, String(time)]),
    ),
    ...(typing
      ? [
          '',
          tableOf(
            ['Log-in form, cold and slow', 'ms from navigation'],
            [
              ['typed text is kept', Math.round(typing.typing).toLocaleString('en')],
              ['the form is sent', Math.round(typing.submit).toLocaleString('en')],
            ],
          ),
        ]
      : []),
  ].join('\n')
}

function describeLighthouse(
  { machine, browser: version, date }: ReturnType<typeof describeMachine> & { browser: string },
  results: readonly LighthouseResult[],
): string {
  const rows = results.map(({ path, performance, accessibility, bestPractices, seo, lcp, blocking }) =>
    [path, performance, accessibility, bestPractices, seo, lcp.toLocaleString('en'), blocking].map(String),
  )
  return [
    `Lighthouse ${results[0]?.version} for a phone, medians of ${runs} runs, ${date}: ${machine}; ${version}.`,
    '',
    tableOf(['Page', 'Performance', 'Accessibility', 'Best practices', 'SEO', 'LCP ms', 'Blocking ms'], rows),
  ].join('\n')
}
