import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { runChecks } from './check.ts'
import { tryImage } from './try-image.ts'
import { tryNew } from './try-new.ts'

interface Totals {
  passed: number
  failed: number
  /** For each failure, a command that repeats it, and the error. */
  commands?: string[]
}

interface Part {
  name: string
  /** How long it takes on two cores, in seconds. */
  usual: number
  run: () => Totals | Promise<Totals>
}

/** Tests in which the database makes no difference: of HTTP, settings, mail servers, and of SQLite itself. */
const withoutDatabase = [
  'access',
  'api-docs',
  'api-examples',
  'attacks-company-log-in',
  'attacks-cost',
  'attacks-files',
  'attacks-fresh',
  'attacks-fuzz',
  'attacks-http',
  'attacks-load',
  'attacks-mail',
  'backup',
  'backups',
  'commands',
  'config',
  'contract-clients',
  'durable-files',
  'headers',
  'listen',
  'make-secrets',
  'passwords-off',
  'request-ids',
  'restore',
  'serialization',
  'setting-names',
  'shared-commits',
  'smtp',
  'stop',
  'test-mail',
  'text-lines',
  'validation',
]

const vitestReport = 'node_modules/.cache/steward/vitest.json'
const playwrightReport = 'node_modules/.cache/steward/playwright.json'

const parts: Part[] = [
  { name: 'checks', usual: 30, run: async () => withCommand(await runChecks(), 'npm run check') },
  { name: 'unit, component and server tests', usual: 120, run: () => runVitest('npx vitest run') },
  { name: 'browser tests', usual: 270, run: runPlaywright },
  { name: 'the image', usual: 15, run: async () => withCommand(await tryImage(), 'node scripts/try-image.ts') },
  {
    name: 'a product with a further resource and further fields',
    usual: process.env.CI ? 130 : 60,
    run: async () => withCommand(await tryNew(), 'node scripts/try-new.ts'),
  },
]
// Only in CI, because it needs PostgreSQL.
if (process.env.TEST_POSTGRES) parts.push({ name: 'server tests on PostgreSQL', usual: 160, run: runOnPostgres })

const totals = { passed: 0, failed: 0 }
const times: string[] = []
const commands: string[] = []
console.log(`This takes about ${minutes(parts.reduce((sum, { usual }) => sum + usual, 0))} on two cores.`)
for (const { name, usual, run: runPart } of parts) {
  console.log(`\n— ${name}, about ${minutes(usual)}`)
  const begun = performance.now()
  const { passed, failed, commands: repeat = [] } = await runPart()
  totals.passed += passed
  totals.failed += failed
  commands.push(...repeat)
  const seconds = Math.round((performance.now() - begun) / 1000)
  times.push(`${String(seconds).padStart(5)} s  ${name}: ${passed} passed, ${failed} failed`)
}
console.log(`\n${times.join('\n')}`)
if (commands.length > 0) console.log(`\nTo repeat what failed:\n${commands.map((line) => `  ${line}`).join('\n')}`)
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed > 0 ? 1 : 0

function minutes(seconds: number): string {
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} minutes`
}

function withCommand(result: Totals, command: string): Totals {
  return { ...result, commands: result.failed > 0 ? [command] : [] }
}

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** @param command with which a person runs the same */
function runVitest(command: string, before: string[] = [], ...args: string[]): Totals {
  const { json, status } = run<VitestReport>(vitestReport, [
    ...before,
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile=${vitestReport}`,
    ...args,
  ])
  const repeat = (json?.testResults ?? []).flatMap(({ name, status: of, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed')
    const file = `${command} ${relative('.', name)}`
    return failed.length === 0 && of === 'failed'
      ? [withError(file, message)]
      : failed.map(({ fullName, failureMessages }) =>
          withError(`${file} -t ${quote(fullName)}`, failureMessages.join('\n')),
        )
  })
  return toTotals(
    { passed: json?.numPassedTests ?? 0, failed: json?.numFailedTests ?? 0, commands: repeat },
    status,
    command,
  )
}

function runOnPostgres(): Totals {
  const files = [...withoutDatabase.map((name) => `server/**/${name}.test.ts`), 'server/platform/lib/**']
  const excluded = files.flatMap((file) => ['--exclude', file])
  const before = ['scripts/with-postgres.ts', process.execPath]
  return runVitest('npm run test:postgres --', before, '--project', 'server', ...excluded)
}

interface BrowserTest {
  projectName: string
  status: string
  results: { errors: { message?: string }[] }[]
}

interface Suite {
  suites?: Suite[]
  specs?: { file: string; title: string; ok: boolean; tests: BrowserTest[] }[]
}

interface PlaywrightReport extends Suite {
  stats: { expected: number; unexpected: number; flaky: number }
}

function runPlaywright(): Totals {
  const { json, status } = run<PlaywrightReport>(playwrightReport, ['scripts/test-e2e.ts', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  })
  const { expected = 0, unexpected = 0, flaky = 0 } = json?.stats ?? {}
  const specs = (suite: Suite): NonNullable<Suite['specs']> => [
    ...(suite.specs ?? []),
    ...(suite.suites ?? []).flatMap(specs),
  ]
  const repeat = specs(json ?? {}).flatMap(({ file, title, tests }) =>
    tests
      .filter((test) => test.status === 'unexpected' || test.status === 'flaky')
      .map(({ projectName, results }) =>
        withError(
          `npm run test:e2e -- ${file} -g ${quote(title)} --project=${projectName}`,
          results.flatMap(({ errors }) => errors.map(({ message = '' }) => message)).join('\n'),
        ),
      ),
  )
  return toTotals({ passed: expected, failed: unexpected + flaky, commands: repeat }, status, 'npm run test:e2e')
}

/** Adds the beginning of an error, because the end of the output may be all that is kept. */
function withError(command: string, error: string): string {
  const lines = stripVTControlCharacters(error).split('\n').slice(0, 30)
  return [command, ...lines.map((line) => `    ${line}`)].join('\n')
}

/** Text in single quotes for a shell, as a pattern that matches only itself. */
function quote(text: string): string {
  return `'${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll("'", '.')}'`
}

/** Runs a test runner and reads its report. */
function run<Report>(reportFile: string, args: string[], env: Record<string, string> = {}) {
  rmSync(reportFile, { force: true })
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  try {
    return { status, json: JSON.parse(readFileSync(reportFile, 'utf8')) as Report }
  } catch {
    return { status, json: undefined }
  }
}

/** A failure without a failed test, such as a crash, counts as one. */
function toTotals(result: Totals, status: number | null, command: string): Totals {
  return status === 0 || result.failed > 0 ? result : { ...result, failed: 1, commands: [command] }
}
