import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { browserArgs, findBrowser } from '../../scripts/find-browser.ts'
import { pathOf } from '../../scripts/install-with-apt.ts'
import { medianOf } from '../../tests/support/measure.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const audits = ['largest-contentful-paint', 'total-blocking-time'] as const

interface Report {
  lighthouseVersion: string
  finalDisplayedUrl: string
  categories: Record<(typeof categories)[number], { score: number }>
  audits: Record<(typeof audits)[number], { numericValue: number }>
}

type Command = [file: string, ...args: string[]]

/** Finds Lighthouse, which is too large for a dependency. @param folder where npm installed it; by default, the PATH */
export function findLighthouse(folder: string | undefined): Command | undefined {
  if (folder === undefined) {
    const found = pathOf('lighthouse')
    return found === undefined ? undefined : [found]
  }
  const cli = resolve(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(cli)) throw new Error(`There is no Lighthouse in ${folder}`)
  return [process.execPath, cli]
}

/** Simulates a phone. @returns its version, and table cells: path, and medians of scores (0 to 100) and times (ms) */
export async function runLighthouse(
  [file, ...first]: Command,
  { url, path }: { url: string; path: string },
  token: string | null,
  runs: number,
): Promise<{ version: string | undefined; cells: string[] }> {
  const profile = mkdtempSync(join(tmpdir(), 'steward-lighthouse-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser(),
    args: [...browserArgs, '--remote-debugging-port=0'],
  })
  try {
    const page = await context.newPage()
    await page.goto(`${url}/favicon.svg`)
    await page.evaluate((value) => value !== null && localStorage.setItem('access_token', value), token)
    const [port = ''] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
    const options = [`--only-categories=${categories.join()}`, '--disable-storage-reset', '--no-enable-error-reporting']
    const args = [...first, url + path, `--port=${port}`, '--output=json', '--quiet', ...options]
    const reports: Report[] = []
    for (let count = 0; count < runs; count += 1) {
      const { stdout } = await promisify(execFile)(file, args, { maxBuffer: 2 ** 26, timeout: 120_000 })
      const report = JSON.parse(stdout) as Report
      if (report.finalDisplayedUrl !== url + path) throw new Error(`${path} led to ${report.finalDisplayedUrl}`)
      reports.push(report)
    }
    const scores = categories.map((name) => 100 * medianOf(reports.map((report) => report.categories[name].score)))
    const times = audits.map((name) => medianOf(reports.map((report) => report.audits[name].numericValue)))
    const cells = [path, ...[...scores, ...times].map((value) => Math.round(value).toLocaleString('en'))]
    return { version: reports[0]?.lighthouseVersion, cells }
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}
