import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { runChecks } from './check.ts'
import { tryNew } from './try-new.ts'

interface Totals {
  passed: number
  failed: number
}

/** Tests of HTTP alone, which do not depend on the database. */
const withoutDatabase = ['attacks-fuzz', 'attacks-http', 'contract-clients', 'headers', 'serialization']

const vitestReport = 'node_modules/.cache/steward/vitest.json'
const playwrightReport = 'node_modules/.cache/steward/playwright.json'

/** All test runners, in order, by the name that is printed. */
const runners: Record<string, () => Totals | Promise<Totals>> = {
  checks: runChecks,
  'unit, component and server tests': () => runVitest(),
  'browser tests': runPlaywright,
  'a product with two more resources': tryNew,
}
// Only in CI, because it needs PostgreSQL.
if (process.env.TEST_POSTGRES) runners['server tests on PostgreSQL'] = runOnPostgres

const totals: Totals = { passed: 0, failed: 0 }
for (const [name, runTests] of Object.entries(runners)) {
  console.log(`\n— ${name}`)
  const { passed, failed } = await runTests()
  totals.passed += passed
  totals.failed += failed
}
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed > 0 ? 1 : 0

function runVitest(before: string[] = [], ...args: string[]): Totals {
  const report = run<{ numPassedTests: number; numFailedTests: number }>(vitestReport, [
    ...before,
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${vitestReport}`,
    ...args,
  ])
  return report.totals({ passed: report.json?.numPassedTests ?? 0, failed: report.json?.numFailedTests ?? 0 })
}

function runOnPostgres(): Totals {
  const excluded = withoutDatabase.flatMap((name) => ['--exclude', `server/test/${name}.test.ts`])
  return runVitest(['scripts/with-postgres.ts', process.execPath], '--project', 'server', ...excluded)
}

function runPlaywright(): Totals {
  const report = run<{ stats: { expected: number; unexpected: number; flaky: number } }>(
    playwrightReport,
    ['scripts/test-e2e.ts', '--reporter=list,json'],
    { PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport },
  )
  const { expected = 0, unexpected = 0, flaky = 0 } = report.json?.stats ?? {}
  return report.totals({ passed: expected + flaky, failed: unexpected })
}

/** Runs a test runner and reads its report. A failure without a failed test, such as a crash, counts as one. */
function run<Report>(reportFile: string, args: string[], env: Record<string, string> = {}) {
  rmSync(reportFile, { force: true })
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  let json: Report | undefined
  try {
    json = JSON.parse(readFileSync(reportFile, 'utf8')) as Report
  } catch {
    json = undefined
  }
  return {
    json,
    totals: ({ passed, failed }: Totals): Totals => ({ passed, failed: status === 0 ? failed : Math.max(failed, 1) }),
  }
}
