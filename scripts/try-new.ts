import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { changeByHand } from './by-hand.ts'
import { copyWorkTree } from './copy-work-tree.ts'
import { follow } from './how-to.ts'
import { listedNames } from './new/names.ts'

const tags = listedNames().map(({ plural }) => plural)
const hasItems = tags.includes('items')
/** The guides, and changes by hand, need items as they came. In a product, only the commands are tried. */
const isProduct = !hasItems || tags.length > 1 || /'Items', links:/.test(readFileSync('src/lib/resources.ts', 'utf8'))
const toItems = (field: string) => (hasItems ? `, ${field}` : '')

/** One resource with all kinds of fields, one of two links, further fields, and other values of choices. */
const commands = [
  [
    'resource',
    'category',
    '--fields',
    `name:text, details:multiline?, rank:integer, due_on:date?, done:boolean, state:choice(open,in_progress,done), due_at:time, price:decimal(10,2), scan:file?${toItems('item:link(items,clear)?')}`,
  ],
  [
    'field',
    'categories',
    'weight:integer?, since:date?, size:choice(small,large)?, seen_at:time?, cost:decimal(15,3)?, parent:link(categories,refuse)?, origin:link(categories,delete)?',
  ],
  ...(hasItems
    ? [
        [
          'field',
          'items',
          'code:text?, hidden:boolean, phase:choice(early,late), ready_at:time?, photo:file?, kind:link(categories,clear)?',
        ],
      ]
    : []),
  // Many to many. It gets nothing of what items have got, a text that is called like a decimal of another, and words of SQL and JavaScript.
  [
    'resource',
    'tagging',
    '--fields',
    `note:text, cost:text?, order:date?, default:choice(new,old), category:link(categories,delete)${toItems('item:link(items)')}`,
  ],
  [
    'field',
    'users',
    'nickname:text?, subscribed:boolean, about:multiline?, team:choice(red,blue)?, hired_at:time?, rate:decimal(6,2)?',
  ],
  ['choice', 'categories.state', 'open,doing,done', '--move', 'in_progress=doing'],
  ['choice', 'users.team', 'blue,green', '--move', 'red='],
]
const guides = isProduct
  ? []
  : [...['operation', 'job', 'screen'].map((name) => `docs/how-to/${name}.md`), 'docs/tutorial.md']
const vitest = ['node_modules/vitest/vitest.mjs', 'run']
const tsc = 'node_modules/typescript/bin/tsc'
/** Outside of CI, only what a change of the template or of the generator breaks first. */
const isThorough = process.env.CI !== undefined
const serverProjects = ['--project', 'server', '--project', 'any-database']
const ownTests = [
  'server/test/resources',
  'profile-fields',
  ...(isProduct ? [] : ['server/items/duplicate', 'server/overview/jobs', 'server/loans']),
]
const ownScreens = [
  'tests/screens/resources',
  'tests/screens/users/profile-fields',
  ...(isProduct ? [] : ['tests/screens/help']),
  'tests/house',
]

const types = { types: [tsc, '-p', '.'], 'types of the server': [tsc, '-p', 'server'] }

const tests = {
  'tests of pages': [...vitest, '--project', 'unit', ...ownScreens],
  'tests of the server': [...vitest, ...serverProjects, ...ownTests],
}

const steps: Record<string, string[]> = isThorough
  ? {
      checks: ['scripts/check.ts'],
      ...tests,
      // The other tests of the two files pass or fail as they do outside of the copy.
      'browser tests': ['scripts/test-e2e.ts', '--project=desktop', 'resources', 'weight', '-g', 'Categories|budget'],
      ...(process.env.TEST_POSTGRES && {
        'server tests on PostgreSQL': [
          'scripts/with-postgres.ts',
          process.execPath,
          ...vitest,
          '--project',
          'server',
          'server/test/resources',
          'profile-fields',
          'copy',
        ],
      }),
    }
  : { ...types, ...tests }

/** Of a product without items that has a resource of its own. Only in CI. */
const removal = [
  ['remove', 'items'],
  ['resource', 'note', '--fields', 'body:text, urgent:boolean, pinned:boolean'],
  ['field', 'notes', 'level:integer?, until:date?'],
]
const stepsOfRemoval = {
  checks: ['scripts/check.ts'],
  'some tests': [
    ...vitest,
    'server/test/resources',
    'server/accounts/accounts',
    'server/administration/bulk',
    'tests/house',
    'tests/new',
    'tests/screens/resources',
    'tests/screens/dashboard',
  ],
}

/** Tries the commands, and then the guides, in copies of this work tree. @returns the numbers of passed and failed steps */
export async function tryNew(): Promise<{ passed: number; failed: number }> {
  const copies = [
    tryIn(commands, guides, steps),
    ...(isThorough && !isProduct ? [tryIn(removal, [], stepsOfRemoval)] : []),
  ]
  const results = (await Promise.all(copies)).flat()
  const passed = results.filter(Boolean).length
  return { passed, failed: results.length - passed }
}

/** Runs commands in a copy of this work tree, and then its checks and tests. @returns for each step whether it passed */
async function tryIn(
  commandsOfCopy: string[][],
  guidesOfCopy: string[],
  stepsOfCopy: Record<string, string[]>,
): Promise<boolean[]> {
  const folder = mkdtempSync(join(tmpdir(), 'steward-new-'))

  /** Its output is shown at its end, as another copy has output, too. */
  async function run(command: string, ...args: string[]): Promise<boolean> {
    const child = spawn(command, args, { cwd: folder })
    const output: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk))
    const [code] = (await once(child, 'close')) as [number | null]
    process.stdout.write(Buffer.concat(output))
    return code === 0
  }

  const commit = async () =>
    (await run('git', 'add', '-A')) &&
    (await run('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'All'))

  async function make(): Promise<boolean> {
    copyWorkTree(folder)
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    if (!(await run('git', 'init', '-q'))) return false
    if (guidesOfCopy.length > 0) changeByHand(folder)
    if (!(await commit())) return false
    for (const args of commandsOfCopy)
      if (!(await run(process.execPath, 'scripts/new.ts', ...args)) || !(await commit())) return false
    for (const guide of guidesOfCopy) {
      follow(guide, folder)
      if (!(await commit())) return false
    }
    return true
  }

  try {
    const isMade = await make()
    const results: boolean[] = []
    for (const [name, args] of Object.entries(stepsOfCopy)) {
      const hasPassed = isMade && (await run(process.execPath, ...args))
      console.log(`— ${name} of the copy: ${hasPassed ? 'passed' : 'failed'}\n`)
      results.push(hasPassed)
    }
    return results
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) process.exitCode = (await tryNew()).failed > 0 ? 1 : 0
