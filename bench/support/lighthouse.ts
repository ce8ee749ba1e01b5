import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { medianOf } from '../../tests/support/measure.ts'
import { browserArgs, findBrowser } from '../../scripts/find-browser.ts'
import { pathOf } from '../../scripts/install-with-apt.ts'

const run = promisify(execFile)

export interface LighthouseResult {
  path: string
  version: string
  /** The median of the runs, 0 to 100. */
  performance: number
  accessibility: number
  bestPractices: number
  seo: number
  /** Medians, ms. */
  lcp: number
  blocking: number
}

interface Report {
  lighthouseVersion: string
  finalDisplayedUrl: string
  categories: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number }>
  audits: Record<'largest-contentful-paint' | 'total-blocking-time', { numericValue: number }>
}

/** A program and its first arguments. */
type Command = [file: string, ...args: string[]]

/**
 * Finds Lighthouse, which is too large for a dependency.
 * @param folder where npm installed it; the PATH is searched if absent
 * @returns `undefined` when it is not installed
 */
export function findLighthouse(folder: string | undefined): Command | undefined {
  if (folder === undefined) {
    const found = pathOf('lighthouse')
    return found === undefined ? undefined : [found]
  }
  const cli = resolve(folder, 'node_modules/lighthouse/cli/index.js')
  if (!existsSync(cli)) throw new Error(`There is no Lighthouse in ${folder}`)
  return [process.execPath, cli]
}

/** Runs Lighthouse on a page, with a simulated phone. @param token of the visitor, or `null` for a guest */
export async function runLighthouse(
  command: Command,
  address: { url: string; path: string },
  token: string | null,
  runs: number,
): Promise<LighthouseResult> {
  const { url, path } = address
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
    const reports: Report[] = []
    for (let count = 0; count < runs; count += 1) reports.push(await look(command, url + path, port))
    return summarize(path, reports)
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

async function look([file, ...first]: Command, address: string, port: string): Promise<Report> {
  const categories = 'performance,accessibility,best-practices,seo'
  const options = [`--only-categories=${categories}`, '--disable-storage-reset', '--no-enable-error-reporting']
  const args = [...first, address, `--port=${port}`, '--output=json', '--quiet', ...options]
  const { stdout } = await run(file, args, { maxBuffer: 2 ** 26, timeout: 120_000 })
  const report = JSON.parse(stdout) as Report
  if (report.finalDisplayedUrl !== address) throw new Error(`${address} led to ${report.finalDisplayedUrl}`)
  return report
}

function summarize(path: string, reports: readonly Report[]): LighthouseResult {
  const score = (category: keyof Report['categories']) =>
    Math.round(medianOf(reports.map(({ categories }) => categories[category].score)) * 100)
  const time = (audit: keyof Report['audits']) =>
    Math.round(medianOf(reports.map(({ audits }) => audits[audit].numericValue)))
  return {
    path,
    version: reports[0]?.lighthouseVersion ?? '',
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    lcp: time('largest-contentful-paint'),
    blocking: time('total-blocking-time'),
  }
}
