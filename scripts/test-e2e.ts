import { spawnSync } from 'node:child_process'
import { buildSpaIfStale } from './build-spa.ts'
import { findBrowser } from './find-browser.ts'

/** Playwright over the built application. Arguments go through: `npm run test:e2e -- --project phone items`. */
buildSpaIfStale()
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, TEST_BROWSER: findBrowser() } },
)
process.exitCode = status ?? 1
