import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { generateCode, generatedPaths, runTool } from './generate.ts'
import { writeChoice } from './new/choice.ts'
import { readNames, writeFields } from './new/field.ts'
import { toFirstFields, toFurtherFields } from './new/fields.ts'
import { kindNames } from './new/kinds/all.ts'
import { capitalize, type Names, toNames } from './new/names.ts'
import { removeFaults, removeResource, write as writeOrRemove } from './new/remove.ts'
import { type Resource, writeResource } from './new/resource.ts'

const usage = `Usage:
  npm run new -- resource NAME [--plural NAME] [--fields "body:text, due_on:date?, …"] [--dry-run]
    Adds a resource that belongs to accounts, as items do: operations, tables, rules, screens, demo data and tests.
    The first field is the name of a row.
  npm run new -- field RESOURCE "phone:text?, …" [--dry-run]
    Adds fields to users, items or another resource: contract, column, rules, forms, list, demo data and tests.
  npm run new -- choice RESOURCE.FIELD "open, doing, done" [--move closed=done …] [--dry-run]
    Changes the values of a choice: contract, types, filter, demo data and tests. Each value that goes needs a --move,
    which the migration applies to rows that have it; --move closed= leaves them without a value.
  npm run new -- remove RESOURCE [--dry-run]
    Removes items or another resource: contract, tables (by a migration), rules, screens, demo data, and all tests
    that use it, which are listed. Needs a clean work tree, and takes two minutes.
  Kinds of fields: ${kindNames}. A question mark makes a field optional.
  A link(customers) refuses the deletion of its row; link(customers, clear)? is cleared, and link(customers, delete)
  deletes the row with it.
  --dry-run only lists the files.`

interface Written {
  created: Map<string, string>
  edited: Map<string, string>
  /** What to do next. */
  advice: string
}

/** @returns `undefined` for an unknown command @throws Error for an invalid name, field or option */
function readArguments(args: string[]): (() => Promise<void>) | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      plural: { type: 'string' },
      fields: { type: 'string', default: 'title:text, description:multiline?' },
      move: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [what, name, ...others] = positionals
  const isDry = values['dry-run']
  if (name === undefined) return undefined
  if (what === 'resource' && others.length === 0) {
    const resource = { ...toNames(name, values.plural), fields: toFirstFields(values.fields) }
    const written = writeResource(resource)
    requireFree(resource, written.created.keys())
    return () => write({ ...written, advice: adviceOnResource(resource), isDry })
  }
  if (what === 'field' && others.length > 0) {
    const names = readNames(name)
    const written = writeFields(names, toFurtherFields(others.join(',')))
    return () => write({ ...written, advice: adviceOnFields(names.plural), isDry })
  }
  if (what === 'choice' && others.length > 0) {
    const [owner = '', field = ''] = name.split('.')
    const names = readNames(owner)
    const given = others
      .join(',')
      .split(',')
      .map((one) => one.trim())
    const written = writeChoice(names, field, given, values.move)
    return () => write({ ...written, advice: adviceOnChoice(names.plural), isDry })
  }
  if (what === 'remove' && others.length === 0) {
    const names = readNames(name)
    if (names.plural === 'users') throw new Error('Users cannot be removed')
    return () => remove(names, isDry)
  }
  return undefined
}

/** Requires that the files to overwrite have no uncommitted changes. @param paths by default, all */
function requireClean(paths: string[] = []): void {
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...paths], { encoding: 'utf8' }).trimEnd()
  if (changed !== '') throw new Error(`Commit or stash the changes of these files first:\n${changed}`)
}

function requireFree({ noun, plural }: Resource, created: Iterable<string>): void {
  const { tags, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    tags: { name: string }[]
    components: { schemas: Record<string, unknown> }
  }
  const words = new Set([
    ...tags.map(({ name }) => name),
    ...Object.keys(components.schemas).map((name) => name.toLowerCase()),
  ])
  const taken = [noun, plural].find((word) => words.has(word) || words.has(`${word}public`))
  if (taken !== undefined) throw new Error(`“${taken}” is already used in openapi.json`)
  const there = [...created].find((path) => existsSync(path))
  if (there !== undefined) throw new Error(`“${plural}” is already used: ${there} exists`)
}

async function write({ created, edited, advice, isDry }: Written & { isDry: boolean }): Promise<void> {
  requireClean([...edited.keys(), ...generatedPaths])
  console.log(`${isDry ? 'Would write' : 'Wrote'}:`)
  for (const path of created.keys()) console.log(`  + ${path}`)
  for (const path of [...edited.keys(), ...generatedPaths]) console.log(`  ~ ${path}`)
  if (isDry) return
  for (const [path, text] of [...created, ...edited]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const isGenerated = await generateCode()
  if (!isGenerated) throw new Error('The code could not be generated')
  const written = [...created.keys(), ...edited.keys()].filter((path) => /\.tsx?$/.test(path))
  if (!(await runTool('oxfmt/bin/oxfmt', ...written))) throw new Error('The code could not be formatted')
  console.log(`\n${advice}`)
}

async function remove(names: Names, isDry: boolean): Promise<void> {
  requireClean()
  const { changes, tests } = removeResource(names)
  for (const [path, text] of changes) console.log(`  ${text === '' ? '-' : existsSync(path) ? '~' : '+'} ${path}`)
  if (isDry) return
  for (const [path, text] of changes) writeOrRemove(path, text)
  if (!(await generateCode())) throw new Error('The code could not be generated')
  console.log('\nRemoving what does not compile without them, for a minute or two …')
  const faults = removeFaults()
  const written = [...changes.keys(), ...faults.written].filter(
    (path) => /\.(tsx?|json)$/.test(path) && existsSync(path),
  )
  if (!(await runTool('oxfmt/bin/oxfmt', ...written))) throw new Error('The code could not be formatted')
  const gone = [...tests, ...faults.tests].toSorted()
  console.log(`\nRemoved ${gone.length} tests, which used ${names.plural}:`)
  for (const test of gone) console.log(`  ${test}`)
  console.log(`\n${adviceOnRemoval(names.plural)}`)
}

function adviceOnRemoval(plural: string): string {
  return `Next steps:
  - npm run check, npm test.
  - The migration drops the tables of ${plural}, for good. It has not run yet. Entries of the audit log stay.
  - Documents, bench/ and trials/ are unchanged. What still names ${plural}: git grep -iw ${plural}`
}

function adviceOnResource({ noun, plural }: Resource): string {
  return `To view it: npm run dev -- --mock, or npm run dev. To test it: npm run check, then npx vitest run ${plural}
Next steps:
  - Adjust the bounds of its fields in openapi.json, then run npm run generate.
  - Choose its icon in src/features/shell/navigation.ts and src/features/${plural}/${plural}-page.tsx.
  - Extend texts that mention only items: git grep -iw items src/features/settings src/features/users.
  - ${capitalize(plural)} are visible to their owner and to superusers. For other rules, change server/${plural}/rules.ts.
  - The migration has not run yet. Edit it before a server starts, never afterwards.
  - Add states to tests/support/states.ts. Adjust the sample texts in server/${plural}/sample.ts and tests/support/${plural}.ts.
  - If needed, show a ${noun} on the dashboard or on other pages.`
}

function adviceOnChoice(plural: string): string {
  return `To test it: npm run check, then npx vitest run ${plural === 'users' ? 'profile-fields' : plural}
Next steps:
  - The default of new rows stays, unless it went: see server/${plural === 'users' ? 'users/queries' : `${plural}/rules`}.ts.
  - The compiler finds other code that names a value that went.
  - The migration has not run yet. Edit it before a server starts, never afterwards.`
}

function adviceOnFields(plural: string): string {
  return `To view it: npm run dev -- --mock, or npm run dev. To test it: npm run check, then npx vitest run ${plural === 'users' ? 'profile-fields' : plural}
Next steps:
  - Adjust the bounds in openapi.json, then run npm run generate. Adjust labels, sample texts and demo data.
  - The migration has not run yet. Edit it before a server starts, never afterwards.
  - Searches do not use the field.${plural === 'users' ? ' Sorts, filters, sign-up, invitations and imports neither.' : ''}`
}

try {
  const run = readArguments(process.argv.slice(2))
  if (run) await run()
  else {
    console.error(usage)
    process.exitCode = 2
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
