import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { runChecks } from './check.ts'
import { tryImage } from './try-image.ts'
import { tryNew } from './try-new.ts'

interface Totals {
  passed: number
  failed: number
  /** Each failed test with its error. */
  failures?: string[]
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

interface PlaywrightReport extends Suite {
  stats: { expected: number; unexpected: number; flaky: number }
}

interface Suite {
  suites?: Suite[]
  specs?: {
    title: string
    file: string
    line: number
    tests: { projectName: string; status: string; results: { error?: { message?: string } }[] }[]
  }[]
}

const parts: Record<string, () => Totals | Promise<Totals>> = {
  'checks (npm run check)': runChecks,
  'unit, component and server tests (npx vitest run)': () => runVitest([]),
  'browser tests (npm run test:e2e)': runPlaywright,
  'the image (node scripts/try-image.ts)': tryImage,
  'a product with a further resource and further fields (node scripts/try-new.ts)': tryNew,
}
// CI sets this variable, because this part needs PostgreSQL.
if (process.env.TEST_POSTGRES)
  parts['server tests on PostgreSQL (npm run test:postgres)'] = () =>
    runVitest(['scripts/with-postgres.ts', process.execPath], '--project', 'server')

const totals = { passed: 0, failed: 0 }
const times: string[] = []
const allFailures: string[] = []
for (const [name, runPart] of Object.entries(parts)) {
  console.log(`\n— ${name}`)
  const begun = performance.now()
  const { passed, failed, failures = [] } = await runPart()
  totals.passed += passed
  totals.failed += failed
  allFailures.push(...failures)
  const seconds = Math.round((performance.now() - begun) / 1000)
  times.push(`${String(seconds).padStart(5)} s  ${name}: ${passed} passed, ${failed} failed`)
}
// The output of later parts hides the failures of earlier ones.
for (const failure of allFailures) console.log(`\n✗ ${failure}`)
console.log(`\n${times.join('\n')}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed > 0 ? 1 : 0

function runVitest(wrapper: string[], ...args: string[]): Totals {
  const reportFile = 'node_modules/.cache/steward/vitest.json'
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${reportFile}`]
  return run<VitestReport>(
    reportFile,
    [...wrapper, 'node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args],
    ({ numPassedTests, numFailedTests, testResults }) => ({
      passed: numPassedTests,
      failed: numFailedTests,
      failures: testResults.flatMap(({ name, message, assertionResults }) => [
        ...(message === '' ? [] : [`${name}\n${message}`]),
        ...assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => `${name} › ${fullName}\n${failureMessages.join('\n')}`),
      ]),
    }),
  )
}

function runPlaywright(): Totals {
  const reportFile = 'node_modules/.cache/steward/playwright.json'
  process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = reportFile
  return run<PlaywrightReport>(reportFile, ['scripts/test-e2e.ts', '--reporter=list,json'], (report) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    failures: failuresIn(report),
  }))
}

function failuresIn({ suites = [], specs = [] }: Suite): string[] {
  // A spec is also `ok` if only its second project failed, so the status of each test counts.
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests
      .filter(({ status }) => status !== 'expected')
      .map(({ projectName, results }) => {
        const errors = results.map(({ error }) => error?.message ?? '')
        return `${file}:${line} › ${title} (${projectName})\n${errors.join('\n')}`
      }),
  )
  return [...own, ...suites.flatMap(failuresIn)]
}

/** Counts the tests in the report of a test runner. A failure without a failed test, as a crash is, counts as one. */
function run<Report>(reportFile: string, args: string[], count: (report: Report) => Totals): Totals {
  rmSync(reportFile, { force: true })
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  let counted: Totals = { passed: 0, failed: 0 }
  try {
    counted = count(JSON.parse(readFileSync(reportFile, 'utf8')) as Report)
  } catch {
    console.error('The test runner wrote no report')
  }
  return status === 0 ? counted : { ...counted, failed: Math.max(1, counted.failed) }
}
