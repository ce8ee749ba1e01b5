import { existsSync, readFileSync } from 'node:fs'
import { addFieldsToContract } from './contract.ts'
import { type Field, literal } from './fields.ts'
import { writeMigration } from './migration.ts'
import { importDemo, importFilters, importNamed, importRules } from './modules.ts'
import { capitalize, listedNames, type Names } from './names.ts'
import { Source } from './source.ts'
import {
  bodyOptions,
  boundsIn,
  columnText,
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
  type Place,
  ruleOf,
  valueTexts,
  wholeCellOf,
} from './texts.ts'

const read = (path: string): Source => new Source(path, readFileSync(path, 'utf8'))

const entries = (fields: readonly Field[], valueOf: (field: Field) => string): string[] =>
  fields.map((field) => `${field.name}: ${valueOf(field)}`)

function addBodyOptions(source: Source, fields: readonly Field[], body: string): Source {
  for (const [option, names] of bodyOptions(fields)) {
    const quotedNames = names.map(literal)
    if (source.has(option)) source.addTo(option, 'elements', quotedNames)
    else source.addTo(body, 'properties', [`${option}: [${quotedNames.join(', ')}]`])
  }
  return source
}

function importForm(source: Source, fields: readonly Field[], place: Place): Source {
  const rules = fields.map((field) => ruleOf(field, place)).join('\n')
  const inputs = fields.map(
    (field) => `${inputOf(field, place, { labels: '', control: '' })} ${formValueOf(field, '')}`,
  )
  const code = [rules, ...inputs].join('\n')
  return importNamed(importRules(source, rules), code).addImports('@/client/schemas.gen', boundsIn(fields, place, code))
}

function importCells(source: Source, fields: readonly Field[], place: Place): Source {
  const code = fields.map((field) => listColumnOf(field, place)).join('\n')
  return importNamed(source, code).addImports('@/client/schemas.gen', boundsIn(fields, place, code))
}

function addToRowPage({ noun, plural }: Names, fields: readonly Field[], place: Place): Source[] {
  const path = `src/features/${plural}/${noun}-page.tsx`
  if (!existsSync(path)) return []
  const values = valueTexts(fields, place)
  const code = values.join('\n')
  const source = read(path).addTo('Values', 'children', values)
  return [importNamed(source, code).addImports('@/client/schemas.gen', boundsIn(fields, place, code))]
}

function addToResource(names: Names, fields: readonly Field[]): Source[] {
  const { noun, plural } = names
  const place = { noun, prefix: capitalize(noun) }
  const feature = `src/features/${plural}`
  const demo = entries(fields, (field) => demoOf(field, place, 'row.created_at'))
  const rules = filterRules(fields)
  const links = linkEntries(fields)
  const controls = filterControls(fields)
  const dialogs = read(`${feature}/${noun}-dialogs.tsx`)
  dialogs
    .addTo(
      // The form of items has two schemas, which differ in a message.
      dialogs.has('schemaOf') ? 'schemaOf' : 'schema',
      'properties',
      entries(fields, (field) => ruleOf(field, place)),
    )
    .addTo('emptyValues', 'properties', entries(fields, emptyValueOf))
    .addTo(
      'labels',
      'properties',
      entries(fields, ({ label }) => `'${label}'`),
    )
    .addTo(
      'toValues',
      'properties',
      entries(fields, (field) => formValueOf(field, 'row')),
    )
    .addTo(
      'Fields',
      'children',
      fields.map((field) => inputOf(field, place, { labels: 'labels', control: 'control' })),
    )
  importForm(addBodyOptions(dialogs, fields, 'bodyOf'), fields, place)
  const page = read(`${feature}/${plural}-page.tsx`)
    .addTo(
      'columns',
      'elements',
      fields.map((field) => listColumnOf(field, place)),
    )
    .addToMarkup('filters', controls)
  importNamed(importCells(page, fields, place), controls.join('\n'))
  if (isMany(page.countIn('filters')) && !page.has('hasManyFilters'))
    page.set('columns={columns}\n', 'columns={columns}\nhasManyFilters\n')
  return [
    read(`server/${plural}/queries.ts`).addTo(
      `${plural}Table.fields`,
      'properties',
      entries(fields, (field) => definitionOf(field, false)),
    ),
    importDemo(read(`scripts/seed/rows/${plural}.ts`).addTo('demoRow', 'properties', demo), demo.join('\n')),
    dialogs,
    ...(rules.length === 0
      ? []
      : [
          importFilters(
            read(`${feature}/${plural}-list.ts`)
              .addTo(`${plural}List.filters`, 'properties', rules)
              .addTo(
                `${plural}List.sorts`,
                'elements',
                indexed(fields).map(({ name }) => literal(name)),
              ),
            rules.join('\n'),
          ),
        ]),
    page,
    ...addToRowPage(names, fields, place),
    ...(links.length === 0 ? [] : [read('src/lib/resources.ts').addLinks(plural, links)]),
  ]
}

const NAME = 'full_name'

/** Where the code names the fields of accounts. A new one follows the name of the person. */
function addToUsers(fields: readonly Field[]): Source[] {
  const place = { noun: 'user', prefix: 'User' }
  const inputs = (labels: string, control: string) =>
    fields.map((field) => inputOf(field, place, { labels, control })).join('\n')
  const rules = entries(fields, (field) => ruleOf(field, place))
  const labels = entries(fields, ({ label }) => `'${label}'`)
  const values = entries(fields, (field) => formValueOf(field, 'user'))
  const facts = fields.map((field) => {
    const value = wholeCellOf(field, place, `user.${field.name}`)
    return `<DescriptionItem name="${field.label}">{${value}}</DescriptionItem>`
  })
  const demo = entries(fields, (field) => demoOf(field, place, 'created_at'))
  const form = read('src/features/users/dialogs/user-form.tsx')
    .addTo('profile', 'properties', rules, NAME)
    .addTo('emptyUser', 'properties', entries(fields, emptyValueOf), NAME)
    .addTo('userLabels', 'properties', labels, NAME)
    .addTo('toUserValues', 'properties', values, NAME)
    .addAfterElement(NAME, inputs('userLabels', 'control'))
  const own = read('src/features/settings/profile-form.tsx')
    .addTo('schema', 'properties', rules, NAME)
    .addTo('labels', 'properties', labels, NAME)
    .addTo('toValues', 'properties', values, NAME)
    .addAfterElement(NAME, inputs('labels', 'form.control'))
  return [
    read('server/users/queries.ts').addTo(
      'profile',
      'properties',
      entries(fields, (field) => definitionOf({ ...field, kind: withoutFilter(field) }, false)),
    ),
    read('scripts/seed/demo-data.ts').addTo('demoUser', 'properties', demo),
    importForm(addBodyOptions(form, fields, 'toUserBody'), fields, place),
    importForm(addBodyOptions(own, fields, 'toProfileBody'), fields, place),
    importCells(
      read('src/features/users/users-page.tsx').addTo(
        'columns',
        'elements',
        fields.map((field) => listColumnOf(field, place, { isSorted: false, more: 'isExtra: true' })),
      ),
      fields,
      place,
    ),
    importCells(read('src/features/users/user-page.tsx').addAfterElement('Created', facts.join('\n')), fields, place),
  ]
}

const withoutFilter = ({ kind: { filter: _, ...kind } }: Field) => kind

/** The names of users or of a resource. @param name of either number @throws Error for another */
export function readNames(name: string): Names {
  const all = [{ noun: 'user', plural: 'users' }, ...listedNames()]
  const names = all.find(({ noun, plural }) => name === noun || name === plural)
  if (!names) throw new Error(`“${name}” is none of ${all.map(({ plural }) => plural).join(', ')}`)
  return names
}

/** The contents of all files to write, by path. @throws Error if a field exists, or an edit does not find its place */
export function writeFields(
  names: Names,
  fields: readonly Field[],
): { created: Map<string, string>; edited: Map<string, string> } {
  const { plural } = names
  const isUsers = plural === 'users'
  if (isUsers && fields.some(({ kind }) => kind.link))
    throw new Error('Accounts have no links: make a resource that links to the other one')
  if (isUsers && fields.some(({ kind }) => kind.column === 'file')) throw new Error('Accounts cannot have files')
  const contract = readFileSync('openapi.json', 'utf8')
  const taken = new Set([...fieldsIn(contract, names), ...(isUsers ? ['password', 'confirm_password'] : [])])
  const known = fields.find(({ name }) => taken.has(name))
  if (known) throw new Error(`${capitalize(plural)} have a field “${known.name}”`)
  const edits = isUsers ? addToUsers(fields) : addToResource(names, fields)
  return {
    created: new Map([
      writeMigration(`${plural}-${fields.map(({ name }) => name.replaceAll('_', '-')).join('-')}`, {
        imports: ['addColumns'],
        body: `await addColumns(db, '${plural}', [${fields.map((field) => columnText(field, plural)).join(', ')}])`,
      }),
    ]),
    edited: new Map([
      ['openapi.json', addFieldsToContract(contract, names, fields)],
      ...edits.map((source): [string, string] => [source.path, String(source)]),
    ]),
  }
}

function fieldsIn(contract: string, { noun }: Names): string[] {
  const { components } = JSON.parse(contract) as { components: { schemas: Record<string, { properties?: object }> } }
  return Object.keys(components.schemas[`${capitalize(noun)}Public`]?.properties ?? {})
}
