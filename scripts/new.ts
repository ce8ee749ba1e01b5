import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { generateCode, generatedPaths, runTool } from './generate.ts'
import { writeChoice } from './new/choice.ts'
import { readNames, writeFields } from './new/field.ts'
import { toFirstFields, toFurtherFields } from './new/fields.ts'
import { requireFree } from './new/free.ts'
import { toIcon } from './new/icons.ts'
import { kindNames } from './new/kinds/all.ts'
import { capitalize, type Names, toNames } from './new/names.ts'
import { removeResource, write as writeOrRemove } from './new/remove.ts'
import { type Resource, writeResource } from './new/resource.ts'

const usage = `Usage:
  npm run new -- resource NAME [--plural NAME] [--icon NAME] [--fields "body:text, due_on:date?, …"] [--dry-run]
    Adds a resource that belongs to accounts, as items do: operations, table, rules, pages and demo data.
    The first field is the name of a row. The icon is one of lucide.dev, such as ShoppingCart; by default a guess.
  npm run new -- field RESOURCE "phone:text?, …" [--dry-run]
    Adds fields to users, items or another resource: contract, column, rules, forms, list and demo data.
  npm run new -- choice RESOURCE.FIELD "open, doing, done" [--move closed=done …] [--dry-run]
    Changes the values of a choice: contract, filter and demo data. Each value that goes needs a --move, which the migration applies to rows that have it; --move closed= leaves them without a value.
  npm run new -- remove RESOURCE [--dry-run]
    Removes items or another resource: contract, tables (by a migration), rules, screens, demo data, its tests, and
    lines that use what its files export. Needs a clean work tree.
  Kinds of fields: ${kindNames}. A question mark makes a field optional.
  A link(customers) refuses the deletion of its row; link(customers, clear)? is cleared, and link(customers, delete)
  deletes the row with it.
  --dry-run only lists the files.`

interface Written {
  created: Map<string, string>
  edited: Map<string, string>
  advice: string
}

/** @returns `undefined` for an unknown command @throws Error for an invalid name, field or option */
function readArguments(args: string[]): (() => Promise<void>) | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      plural: { type: 'string' },
      icon: { type: 'string' },
      fields: { type: 'string', default: 'title:text, description:multiline?' },
      move: { type: 'string', multiple: true, default: [] },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [what, name, ...others] = positionals
  const isDry = values['dry-run']
  if (name === undefined) return undefined
  if (what === 'resource' && others.length === 0) {
    const names = toNames(name, values.plural)
    const resource = { ...names, fields: toFirstFields(values.fields), icon: toIcon(names, values.icon) }
    const written = writeResource(resource)
    requireFree(names, resource.fields, written.created.keys())
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
  const changes = removeResource(names)
  for (const [path, text] of changes) console.log(`  ${text === '' ? '-' : existsSync(path) ? '~' : '+'} ${path}`)
  if (isDry) return
  for (const [path, text] of changes) writeOrRemove(path, text)
  if (!(await generateCode())) throw new Error('The code could not be generated')
  const written = [...changes.keys()].filter((path) => /\.(tsx?|json)$/.test(path) && existsSync(path))
  if (!(await runTool('oxfmt/bin/oxfmt', ...written))) throw new Error('The code could not be formatted')
  console.log(`\n${adviceOnRemoval(names.plural)}`)
}

function adviceOnRemoval(plural: string): string {
  return `Next steps:
  - npm run check, npm test.
  - The migration drops the tables of ${plural}, for good. It has not run yet. Entries of the audit log stay.
  - Documents, bench/ and trials/ are unchanged. What still names ${plural}: git grep -iw ${plural}`
}

function adviceOnResource({ plural }: Resource): string {
  return `To view it: npm run dev -- --mock, or npm run dev. To test it: npm run check, then npx vitest run resources -t ${plural}
Next steps:
  - Adjust the bounds of its fields in openapi.json, then run npm run generate. Tests need values that keep them, where
    they are special: examples of the schema.
  - ${capitalize(plural)} are visible to their owner and to superusers. For other rules, change server/${plural}/rules.ts.
  - The migration has not run yet. Edit it before a server starts, never afterwards.`
}

const testsOf = (plural: string) => (plural === 'users' ? 'profile-fields' : `resources -t ${plural}`)

function adviceOnChoice(plural: string): string {
  return `To test it: npm run check, then npx vitest run ${testsOf(plural)}
Next steps:
  - The default of new rows stays, unless it went: see server/${plural}/queries.ts.
  - The compiler finds other code that names a value that went.
  - The migration has not run yet. Edit it before a server starts, never afterwards.`
}

function adviceOnFields(plural: string): string {
  return `To view it: npm run dev -- --mock, or npm run dev. To test it: npm run check, then npx vitest run ${testsOf(plural)}
Next steps:
  - Adjust the bounds in openapi.json, then run npm run generate. Adjust labels and demo data.
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
