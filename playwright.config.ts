import { availableParallelism } from 'node:os'
import { defineConfig, devices } from '@playwright/test'
import { browserArgs } from './scripts/find-browser.ts'

const executablePath = process.env.TEST_BROWSER

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // One more than cores, because some tests wait.
  workers: availableParallelism() + 1,
  // Tests also run on slow and busy machines. Only failing tests wait this long.
  timeout: 90_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    // Tests of animations turn motion on.
    contextOptions: { reducedMotion: 'reduce' },
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
