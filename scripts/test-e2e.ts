import { spawnSync } from 'node:child_process'
import { buildSpaIfStale } from './build-spa.ts'
import { findTestBrowser } from './find-browser.ts'

// Settings in `.env` must not affect the tests.
Object.assign(process.env, { VITE_APP_NAME: 'Steward', VITE_API_URL: '' })
buildSpaIfStale()
const { status } = spawnSync(
  process.execPath,
  ['node_modules/@playwright/test/cli.js', 'test', ...process.argv.slice(2)],
  { stdio: 'inherit', env: { ...process.env, TEST_BROWSER: findTestBrowser() } },
)
process.exitCode = status ?? 1
