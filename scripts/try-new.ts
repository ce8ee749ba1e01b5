import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { copyWorkTree } from './copy-work-tree.ts'

/** One resource with all kinds of fields, and further fields of it, of items and of users. */
const commands = [
  ['resource', 'category', '--fields', 'name:text, details:multiline?, rank:integer, due_on:date?, done:boolean'],
  ['field', 'categories', 'weight:integer?, since:date?'],
  ['field', 'items', 'code:text?, hidden:boolean'],
  ['field', 'users', 'phone:text?, newsletter:boolean, about:multiline?'],
]
const plural = 'categories'
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const tsc = 'node_modules/typescript/bin/tsc'
/** Outside of CI, only what a change of a template or of the generator breaks first. */
const isThorough = process.env.CI !== undefined
const serverTest = (name: string) => `/${name}.test.ts`
const serverTests = [
  plural,
  'items',
  'item-fields',
  'accounts',
  'profile-fields',
  'log-in',
  'overview',
  'access',
  'serialization',
  'seed',
  'copy',
].map(serverTest)
const databaseTests = [plural, 'profile-fields', 'copy'].map(serverTest)
const unitTests = [
  // Also of parts that show all resources.
  ...[plural, 'items', 'profile-fields', 'palette', 'audit', 'dashboard'].map(
    (name) => `src/routes/_layout/${name}.test.tsx`,
  ),
  'src/routes/_layout.test.tsx',
  'src/data',
  'src/lib/screens.test.ts',
  'tests/house.test.ts',
]
const browserTests = [plural, 'weight'].map((name) => `tests/e2e/${name}.spec.ts`)

/** The checks and tests of the copy, in this order. */
const steps: Record<string, string[]> = {
  ...(isThorough
    ? { checks: ['scripts/check.ts'] }
    : { types: [tsc, '-p', '.'], 'types of the server': [tsc, '-p', 'server'] }),
  'unit and component tests': [...vitest, '--project', 'unit', ...unitTests],
  'server tests': [...vitest, '--project', 'server', ...serverTests],
  ...(isThorough && {
    'browser tests': ['scripts/test-e2e.ts', '--project=desktop', ...browserTests],
  }),
  ...(process.env.TEST_POSTGRES && {
    'server tests on PostgreSQL': [
      'scripts/with-postgres.ts',
      process.execPath,
      ...vitest,
      '--project',
      'server',
      ...databaseTests,
    ],
  }),
}

/** Of a product without items that has a resource of its own. Only in CI. */
const commandsOfRemoval = [
  ['remove', 'items'],
  ['resource', 'note'],
]
const stepsOfRemoval: Record<string, string[]> = {
  types: [tsc, '-p', '.'],
  'types of the server': [tsc, '-p', 'server'],
  'some tests': [
    ...vitest,
    'server/notes',
    'server/accounts/accounts',
    'server/administration/bulk',
    'tests/house',
    'tests/new',
    ...['notes', 'dashboard'].map((name) => `src/routes/_layout/${name}.test.tsx`),
  ],
}

/** Tries the commands in copies of this work tree. @returns the numbers of passed and failed steps */
export function tryNew(): { passed: number; failed: number } {
  const added = tryIn(commands, steps)
  if (!isThorough) return added
  const removed = tryIn(commandsOfRemoval, stepsOfRemoval)
  return { passed: added.passed + removed.passed, failed: added.failed + removed.failed }
}

/** Runs commands in a copy of this work tree, and then its checks and tests. */
function tryIn(commandsOfCopy: string[][], stepsOfCopy: Record<string, string[]>): { passed: number; failed: number } {
  const folder = mkdtempSync(join(tmpdir(), 'steward-new-'))
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: folder, stdio: 'inherit' }).status === 0
  const commit = () =>
    run('git', 'add', '-A') &&
    run('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All')
  try {
    copyWorkTree(folder)
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    const isMade =
      run('git', 'init', '-q') &&
      commit() &&
      commandsOfCopy.every((args) => run(process.execPath, 'scripts/new.ts', ...args) && commit())
    const results = Object.entries(stepsOfCopy).map(([name, args]) => {
      console.log(`\n— ${name} of the copy`)
      return isMade && run(process.execPath, ...args)
    })
    const passed = results.filter(Boolean).length
    return { passed, failed: results.length - passed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = tryNew().failed > 0 ? 1 : 0
