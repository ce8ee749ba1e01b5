import { defineConfig, devices } from '@playwright/test'

/** Chromium's sandbox does not start for root; the second flag keeps it from looking for hosts on closed networks. */
const args = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-background-networking']
const executablePath = process.env.TEST_BROWSER

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  workers: 2,
  reporter: 'list',
  use: {
    trace: 'retain-on-failure',
    launchOptions: { args, ...(executablePath !== undefined && { executablePath }) },
  },
  projects: [
    { name: 'desktop', use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 800 } } },
    { name: 'phone', use: { ...devices['Pixel 7'], viewport: { width: 390, height: 844 } } },
  ],
})
