import { readFileSync } from 'node:fs'
import contract from '../../openapi.json' with { type: 'json' }
import { screens } from '../../src/lib/screens.ts'
import { profileFields, samples } from '../support/samples.ts'
import { fillLists } from '../support/weighed.ts'
import { weighPage } from '../support/weigh.ts'
import { expect, isHydrated, test as base } from './fixtures.ts'

interface Budget {
  bytes: number
  requests: number
}

interface Content {
  resources: number
  fields: number
}

const file = 'tests/e2e/weight-budget.json'
const { weighedWith, ...all } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Budget> & {
  weighedWith: Content
}
const budgets = Object.entries(all).filter(([path]) => path in screens)

/** The dashboard reads the number of rows of each. */
const counted = samples.filter(({ table }) => !(table in contract.components.schemas.Overview.properties))

const moreResources = Math.max(0, samples.length - weighedWith.resources)

/** What further resources and fields of a product weigh, such as routes, search parameters and operations. */
function allowanceFor(path: string): number {
  const fields = samples.flatMap((sample) => sample.fields).length + profileFields.length - weighedWith.fields
  return moreResources * 1_500 + Math.max(0, fields) * (path === '/login' ? 100 : 600)
}

/** Tolerates other versions of brotli. */
const HEADROOM = 1.01

const test = base.extend<object, { token: string }>({
  token: [async ({ server }, use) => use(await fillLists(server.url)), { scope: 'worker', timeout: 60_000 }],
})

// Each worker would fill the lists of its own server.
test.describe.configure({ mode: 'default' })

for (const [path, budget] of budgets) {
  test(`${path} stays within its weight budget`, { tag: '@wide' }, async ({ browser, server, token }) => {
    const { bytes, requests, files } = await weighPage(
      browser,
      `${server.url}${path}`,
      path === '/login' ? null : token,
    )
    const largestFirst = Object.entries(files).toSorted(([, a], [, b]) => b - a)
    const sizes = largestFirst.map(([name, size]) => `${String(size).padStart(8)} ${name}`).join('\n')
    const allowed = budget.bytes + allowanceFor(path)
    const allowedRequests = budget.requests + (path === '/' ? counted.length : 0)
    const found = `${path} has ${bytes} bytes in ${requests} requests; ${file} allows ${allowed} and ${allowedRequests}.\n${sizes}\n`
    expect(bytes, found).toBeLessThanOrEqual(allowed * HEADROOM)
    expect(requests, found).toBeLessThanOrEqual(allowedRequests)
  })
}

/** Returns `entry` for `/assets/entry-B1a2c3.js`, and `undefined` for other files than scripts. */
const scriptName = (url: string): string | undefined => /\/assets\/(\w+)-[^/]*\.js$/.exec(url)?.[1]

test('/login and the code of other pages', { tag: '@wide' }, async ({ page }) => {
  const scripts: string[] = []
  const firstLines = new Map<string, Promise<string | undefined>>()
  page.on('request', (request) => {
    const name = scriptName(request.url())
    if (name !== undefined) scripts.push(name)
  })
  const hinted = ['forms', 'guest', 'pages', 'dialogs']
  page.on('response', (response) => {
    const name = scriptName(response.url()) ?? ''
    // Other scripts may still be loading when the test ends, so that their text could not be read.
    if (hinted.includes(name))
      firstLines.set(
        name,
        response.text().then((code) => code.split('\n', 1)[0]),
      )
  })
  await page.goto('/login')
  await isHydrated(page)
  await page.waitForLoadState('networkidle')

  await test.step('nothing is read ahead before somebody types, and then the code of other pages', async () => {
    const painted = scripts.splice(0).filter((name) => name !== 'rolldown')
    expect(painted.toSorted()).toEqual(['entry', 'forms', 'guest'])
    await page.getByLabel('Email').press('a')
    await expect.poll(() => scripts).toEqual(expect.arrayContaining(['dialogs', 'pages', 'settings']))
    expect(scripts).toHaveLength(new Set(scripts).size)
  })

  await test.step('code other than the entry is served with the hint to compile it on load', async () => {
    for (const name of hinted) {
      await expect.poll(() => firstLines.has(name)).toBe(true)
      expect(await firstLines.get(name), name).toBe('//# allFunctionsCalledOnLoad')
    }
  })
})
