import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { addToContract } from './contract.ts'
import { type Field, quoted } from './fields.ts'
import { writeMigration } from './migration.ts'
import { importDemo, importFilters, importNamed, importRules } from './modules.ts'
import { capitalize, type Names, rename } from './names.ts'
import { Source } from './source.ts'
import {
  bodyText,
  boundsIn,
  columnText,
  createdFilter,
  definitionOf,
  demoOf,
  emptyValueOf,
  filterControls,
  filterRules,
  formValueOf,
  indexed,
  inputOf,
  isMany,
  linkEntries,
  listColumnOf,
  ruleOf,
  valueTexts,
} from './texts.ts'

export interface Resource extends Names {
  fields: readonly [Field, ...Field[]]
  icon: string
}

const folder = join(import.meta.dirname, 'template')

export const files: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path !== 'openapi.json' && statSync(join(folder, path)).isFile())
  .map((path) => relative('.', path).replaceAll('\\', '/'))

const read = (path: string): string => readFileSync(path, 'utf8')

const fragment = (elements: readonly string[]): string =>
  elements.length === 1 ? elements.join('') : `(<>${elements.join('\n')}</>)`

/** What stands in the place of the words in capitals of each file of the template. */
function textsOf({ noun, fields, icon }: Resource): Record<string, Record<string, string>> {
  const [first] = fields
  const place = { noun, prefix: capitalize(noun), first }
  const entries = (valueOf: (field: Field) => string) =>
    fields.map((field) => `${field.name}: ${valueOf(field)}`).join(', ')
  const needed = fields.flatMap(({ kind, isNullable }) => (kind.link && !isNullable ? [kind.link.to] : []))
  const controls = filterControls(fields)
  return {
    'server/gizmos/queries.ts': { COLUMNS: entries((field) => definitionOf(field, true)) },
    'scripts/seed/rows/gizmos.ts': {
      ', NEEDED': needed.length === 0 ? '' : `, ${quoted(needed)}`,
      BEGIN: needed.length === 0 ? 'beginRow' : 'beginLinkedRow',
      DEMO: entries((field) => demoOf(field, place, 'row.created_at')),
      ...(needed.length === 0 && { ' | undefined {': ' {', 'return row && ': 'return ' }),
    },
    'src/features/gizmos/gizmos-list.ts': {
      ICON: icon,
      NAME: `'${first.name}'`,
      FILTERS: filterRules(fields).join(', '),
      SORTS: [first, ...indexed(fields)].map(({ name }) => `'${name}'`).join(', '),
    },
    'src/features/gizmos/gizmo-dialogs.tsx': {
      RULES: entries((field) => ruleOf(field, place)),
      EMPTY: entries(emptyValueOf),
      LABELS: entries(({ label }) => `'${label}'`),
      VALUES: entries((field) => formValueOf(field, 'row')),
      OPTIONS: bodyText(fields),
      '{INPUTS}': fields.map((field) => inputOf(field, place, { labels: 'labels', control: 'control' })).join('\n'),
      '={NAME}': `="${first.name}"`,
    },
    'src/features/gizmos/gizmo-page.tsx': {
      '{VALUES}': valueTexts(fields, place).join('\n'),
    },
    'src/features/gizmos/gizmos-page.tsx': {
      COLUMNS: fields.map((field) => listColumnOf(field, place)).join(', '),
      '{...MANY_FILTERS}': isMany(controls.length + 1) ? 'hasManyFilters' : '',
      FILTERS: fragment([createdFilter, ...controls]),
    },
  }
}

function write(path: string, resource: Resource): [path: string, text: string] {
  const { fields, noun } = resource
  const texts = textsOf(resource)[path] ?? {}
  let text = rename(readFileSync(join(folder, path), 'utf8'), resource)
  for (const [word, value] of Object.entries(texts)) {
    if (!text.includes(word)) throw new Error(`${join(folder, path)} does not contain “${word}”`)
    text = text.replaceAll(word, () => rename(value, resource))
  }
  const own = rename(path, resource)
  const code = Object.values(texts).join('\n')
  const source = new Source(own, text)
  if (path.includes('/rows/')) importDemo(source, code)
  if (path.endsWith('-list.ts')) importFilters(source, code)
  if (path.endsWith('.tsx') && code !== '') importNamed(source, code)
  if (path.endsWith('-dialogs.tsx')) importRules(source, code)
  source.addImports('@/client/schemas.gen', boundsIn(fields, { noun, prefix: capitalize(noun) }, code))
  return [own, String(source)]
}

/** The contents of all files to write, by path. @throws Error if a text does not find its place */
export function writeResource(resource: Resource): { created: Map<string, string>; edited: Map<string, string> } {
  const { fields, noun, plural } = resource
  const searched = fields.filter(({ kind }) => kind.isSearched).map(({ name }) => name)
  const created = new Map([
    ...files.map((path) => write(path, resource)),
    writeMigration(plural, {
      imports: ['addResourceTable'],
      body: `await addResourceTable(db, {
    table: '${plural}',
    columns: [${fields.map((field) => columnText(field, plural, true)).join(', ')}],
    searched: ${quoted(searched)},
  })`,
    }),
  ])
  const links = linkEntries(fields).join(', ')
  const edited = [
    new Source('server/resources.ts', read('server/resources.ts'))
      .addImports(`./${plural}/queries.ts`, [`${plural}Table`])
      .addTo('resources', 'elements', [`${plural}Table`]),
    new Source('server/routes.ts', read('server/routes.ts'))
      .addImports(`./${plural}/routes.ts`, [`${noun}Routes`])
      .addTo('createRoutes', 'properties', [`...${noun}Routes(context, sendCsv)`]),
    new Source('src/lib/resources.ts', read('src/lib/resources.ts')).addTo('listed', 'elements', [
      `{ tag: '${plural}', noun: '${noun}', title: '${capitalize(plural)}', hasPages: true${links === '' ? '' : `, links: { ${links} }`} }`,
    ]),
  ]
  return {
    created,
    edited: new Map([
      ['openapi.json', addToContract(read('openapi.json'), resource, fields)],
      ...edited.map((source): [string, string] => [source.path, String(source)]),
    ]),
  }
}
