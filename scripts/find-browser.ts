import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
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

/** Chromium's sandbox does not start for root. The second flag avoids requests to other hosts. */
export const browserArgs = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking']

/**
 * Finds Playwright's or the system's Chromium, or else installs Playwright's or (as root with apt) Debian's.
 * @returns the path of the executable
 * @throws Error when there is none and none can be installed
 */
export function findBrowser(): string {
  const found = playwrightBrowser() ?? systemBrowser()
  if (found !== undefined) return found

  console.log('Found no browser for tests; installing one …')
  const installed = spawnSync(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'], {
    timeout: 300_000,
    stdio: 'ignore',
  })
  const own = installed.status === 0 ? playwrightBrowser() : undefined
  if (own !== undefined) return own

  const packaged = installWithApt('chromium') ? systemBrowser() : undefined
  if (packaged !== undefined) return packaged
  throw new Error('No browser for tests: install Chromium or Chrome, or run `npx playwright install chromium`')
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findBrowser(), args: browserArgs })
}

function playwrightBrowser(): string | undefined {
  const path = chromium.executablePath()
  return existsSync(path) ? path : undefined
}

function systemBrowser(): string | undefined {
  const candidates = systemBrowsers[process.platform as keyof typeof systemBrowsers] as string[] | undefined
  return candidates?.map((name) => (existsSync(name) ? name : pathOf(name))).find((path) => path !== undefined)
}
