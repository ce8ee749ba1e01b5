import { spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { installWithApt, pathOf } from './install-with-apt.ts'

const systemBrowsers = {
  linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: ['C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe'],
}

/** Chromium's sandbox does not start for root. The other flag prevents requests to other hosts. */
export const browserArgs = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking']

/** Finds or installs Chromium. @throws Error if there is none and none can be installed */
export function findBrowser(): string {
  return find(() => playwrightBrowser() ?? systemBrowser(), 'chromium')
}

/** Like `findBrowser`, but prefers the headless shell of Chromium, in which tests take half the time. */
export function findTestBrowser(): string {
  return find(() => headlessShell() ?? playwrightBrowser() ?? systemBrowser(), 'chromium-headless-shell')
}

function find(lookUp: () => string | undefined, name: string): string {
  const found = lookUp()
  if (found !== undefined) return found
  console.log('Found no browser for tests; installing one …')
  spawnSync(process.execPath, ['node_modules/playwright/cli.js', 'install', name], {
    timeout: 300_000,
    stdio: 'ignore',
  })
  const installed = lookUp() ?? (installWithApt(name) ? lookUp() : undefined)
  if (installed !== undefined) return installed
  throw new Error('No browser for tests: install Chromium or Chrome, or run `npx playwright install chromium`')
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: browserArgs })
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

function headlessShell(): string | undefined {
  // Playwright's browsers are in sibling folders: chromium-1234 and chromium_headless_shell-1234.
  const [folder = '', revision = ''] = /^.*chromium-(\d+)/.exec(chromium.executablePath()) ?? []
  const [own] = globSync(join(folder, `../chromium_headless_shell-${revision}/*/chrome-headless-shell{,.exe}`))
  return own ?? pathOf('chromium-headless-shell')
}

function systemBrowser(): string | undefined {
  const candidates = systemBrowsers[process.platform as keyof typeof systemBrowsers] as string[] | undefined
  return candidates?.map((name) => (existsSync(name) ? name : pathOf(name))).find((path) => path !== undefined)
}
