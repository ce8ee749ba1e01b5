import { defineConfig, devices } from '@playwright/test'
import { browserArgs } from './scripts/find-browser.ts'

const executablePath = process.env.TEST_BROWSER

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  // One set for all machines.
  snapshotPathTemplate: 'tests/e2e/pictures/{arg}{ext}',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  // CI retries a failed test once, and reports it as flaky if it then passes.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    trace: 'on-first-retry',
    launchOptions: { args: browserArgs, ...(executablePath !== undefined && { executablePath }) },
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } },
    },
    {
      name: 'phone',
      grepInvert: /@wide/,
      use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } },
    },
  ],
})
