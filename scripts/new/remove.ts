import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { removeFromContract } from './contract.ts'
import { writeMigration } from './migration.ts'
import { capitalize, type Names, rename } from './names.ts'
import { files } from './resource.ts'
import { Source } from './source.ts'

// Removes the files of a resource, the lines of other files that import them or use what they import, and the part of
// the contract.

const list = 'src/lib/resources.ts'

/** Each may have a folder with the files of a resource. Others are files that the template has, too. */
export const folders = [
  'server',
  'src/features',
  'src/features/dashboard',
  'tests/screens',
  'tests/e2e',
  'tests/support',
]

/** The contents of files that change. An empty text removes the file. */
export type Changes = Map<string, string>

export function removeResource(names: Names): Changes {
  const { noun, plural } = names
  const other = linkingTo(plural)
  if (other !== undefined) throw new Error(`${capitalize(other)} link to ${plural}: remove ${other} first`)
  const listed = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n')
  const paths = listed.filter((path) =>
    /^(src|server|scripts|tests)\/.*\.tsx?$|^(index\.html|package\.json)$/.test(path),
  )
  const places = [...folders.map((folder) => `${folder}/${plural}/`), ...files.map((path) => rename(path, names))]
  const own = paths.filter((path) => places.some((place) => path.startsWith(place)))
  const modules = new Set(own.map(withoutExtension))
  const changes: Changes = new Map(own.map((path) => [path, '']))
  for (const path of paths.filter((one) => !changes.has(one))) {
    const before = readFileSync(path, 'utf8')
    const after = withoutImports(path, before, modules).replace(`ccounts, ${plural} and`, 'ccounts and')
    if (after !== before) changes.set(path, after)
  }
  const former = `{ tag: '${plural}', title: '${capitalize(plural)}', noun: '${noun}' }`
  const entry = new RegExp(`\\{\\s*tag: '${plural}',\\s*noun: [\\s\\S]*?(?=\\{\\s*tag: '|\\] as const)`)
  const left = new Source(list, readFileSync(list, 'utf8').replace(entry, ''))
  changes.set(list, String(left.addTo('formerResources', 'elements', [former])))
  const contract = readFileSync('openapi.json', 'utf8')
  changes.set('openapi.json', removeFromContract(contract, names, targetsOf(plural)))
  const [path, migration] = writeMigration(`remove-${plural}`, {
    imports: ['dropResourceTable'],
    body: `await dropResourceTable(db, '${plural}')`,
  })
  return changes.set(path, migration)
}

const withoutExtension = (path: string): string => path.replace(/\.tsx?$/, '')

/** Removes imports of modules, and each line with a name that they import. */
function withoutImports(path: string, text: string, modules: ReadonlySet<string>): string {
  let left = text
  for (const [statement, imported = '', from = ''] of text.matchAll(/^import ([^;'"]*?) from '([./@][^']*)'\n/gm)) {
    const module = from.startsWith('@/') ? `src/${from.slice(2)}` : relative('.', join(path, '..', from))
    if (!modules.has(withoutExtension(module))) continue
    const names = imported.match(/\w+(?=\s*[,}]|$)/g) ?? []
    const lines = left.replace(statement, '').split('\n')
    left = lines.filter((line) => !names.some((name) => new RegExp(`\\b${name}\\b`).test(line))).join('\n')
  }
  return left
}

function readLinks(): [from: string, to: string[]][] {
  return readFileSync(list, 'utf8')
    .split(/(?=\{\s*tag: ')/)
    .map((entry) => [
      /^\{\s*tag: '(\w+)'/.exec(entry)?.[1] ?? '',
      Array.from(entry.matchAll(/\bto: '(\w+)'/g), ([, to = '']) => to),
    ])
}

const linkingTo = (plural: string): string | undefined =>
  readLinks().find(([from, to]) => from !== plural && to.includes(plural))?.[0]

const targetsOf = (plural: string): string[] =>
  (readLinks().find(([from]) => from === plural)?.[1] ?? []).filter(
    (target) => !readLinks().some(([from, to]) => from !== plural && to.includes(target)),
  )

export function write(path: string, text: string): void {
  if (text !== '') writeFileSync(path, text)
  else if (existsSync(path)) rmSync(path)
}
