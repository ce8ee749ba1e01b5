import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { resolveConfig } from 'vite'
import { toFields } from './new/fields.ts'
import { capitalize, toNames } from './new/names.ts'
import { type Resource, writeResource } from './new/resource.ts'

const usage = `Usage: npm run new -- resource NAME [--plural NAME] [--fields "body:text, due_on:date?, …"] [--dry-run]
  Adds a resource that belongs to accounts, as items do: operations, tables, rules, screens, demo data and tests.
  Kinds of fields: text, multiline, integer, boolean, date; a question mark lets it be empty. The first one names a row.
  --dry-run says which files would be written.`

/** @throws Error that says what is wrong; then nothing has changed */
function readArguments(args: string[]): { resource: Resource; isDry: boolean } | undefined {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      plural: { type: 'string' },
      fields: { type: 'string', default: 'title:text, description:multiline?' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const [what, noun, ...others] = positionals
  if (what !== 'resource' || noun === undefined || others.length > 0) return undefined
  const resource = { ...toNames(noun, values.plural), fields: toFields(values.fields) }
  return { resource, isDry: values['dry-run'] }
}

/** The files are written over, so what is not committed would be lost among their changes. */
function requireClean(paths: string[]): void {
  const changed = execFileSync('git', ['status', '--porcelain', '--', ...paths], { encoding: 'utf8' }).trimEnd()
  if (changed !== '') throw new Error(`Commit these files first, or put their changes aside:\n${changed}`)
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
  if (taken !== undefined) throw new Error(`“${taken}” is taken: the contract has it`)
  const there = [...created].find((path) => existsSync(path))
  if (there !== undefined) throw new Error(`“${plural}” is taken: ${there} is there`)
}

function run(tool: string, ...args: string[]): void {
  const isWindows = process.platform === 'win32'
  const { status, stdout, stderr } = spawnSync(`node_modules/.bin/${tool}`, args, {
    encoding: 'utf8',
    shell: isWindows,
  })
  if (status !== 0) throw new Error(`${tool} failed:\n${stdout}${stderr}`)
}

async function addResource(resource: Resource, isDry: boolean): Promise<void> {
  const { created, edited } = writeResource(resource)
  requireFree(resource, created.keys())
  const generated = ['src/client', 'server/contract', 'src/route-tree.gen.ts']
  requireClean([...edited.keys(), ...generated])
  console.log(`${isDry ? 'Would write' : 'Wrote'}:`)
  for (const path of created.keys()) console.log(`  + ${path}`)
  for (const path of [...edited.keys(), ...generated]) console.log(`  ~ ${path}`)
  if (isDry) return
  for (const [path, text] of [...created, ...edited]) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  run('openapi-ts')
  // Resolving the configuration of Vite has the plug-in of the router write the route tree.
  await resolveConfig({ logLevel: 'error' }, 'build')
  run('oxfmt', ...created.keys(), ...[...edited.keys()].filter((path) => path.endsWith('.ts')))
  const { noun, plural } = resource
  console.log(`
See it: npm run dev -- --mock, or npm run dev. Test it: npm run check, then npx vitest run ${plural}
Think about next:
  - the bounds of its fields in openapi.json, then npm run generate
  - its icon in src/features/shell/navigation.ts and src/features/${plural}/${plural}-page.tsx
  - texts that name items alone: src/features/settings/danger-zone.tsx, src/features/users/delete-user-dialog.tsx
  - its rules, if ${capitalize(plural)} are not only for their owner: server/domain/${plural}.ts
  - the migration has not run yet: edit it before a server starts, never after
  - more states to look at: tests/support/states.ts; the words of its tests: server/test/${plural}-sample.ts, tests/support/${plural}.ts
  - a ${noun} on the dashboard or on other pages`)
}

try {
  const asked = readArguments(process.argv.slice(2))
  if (asked) await addResource(asked.resource, asked.isDry)
  else {
    console.error(usage)
    process.exitCode = 2
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
