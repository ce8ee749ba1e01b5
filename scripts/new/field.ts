import { readFileSync } from 'node:fs'
import { raiseBudgets } from './budgets.ts'
import { addFieldsToContract } from './contract.ts'
import { absent, type Field, literal, seenText, typedText } from './fields.ts'
import { addFilters, filterFiles } from './filters.ts'
import { writeMigration } from './migration.ts'
import { addLinkEdits, addToLinks, linkFiles } from './links.ts'
import { capitalize, listedNames, type Names, rename, unprotect } from './names.ts'
import {
  addBodyOptions,
  addCellImports,
  addColumns,
  addFields,
  addFormImports,
  addTextImports,
  columnOf,
  demoOf,
  emptyValueOf,
  formValueOf,
  inputOf,
  places,
  ruleOf,
  schemaOf,
} from './places.ts'
import { Source } from './source.ts'

type Edit = (source: Source, fields: readonly Field[]) => Source

const entries = (fields: readonly Field[], valueOf: (field: Field) => string): string[] =>
  fields.map((field) => `${field.name}: ${valueOf(field)}`)

const NAME = 'full_name'
const userSchemaOf = ({ pascal }: Field) => `User${pascal}Schema`
const userRuleOf = (field: Field) => ruleOf(field, {}, userSchemaOf(field))
const samplesOf = ({ name, kind, isNullable }: Field) => kind.sample(name, 'user', { isNullable })
const quotedNames = (fields: readonly Field[]) => fields.map(({ name }) => `'${name}'`)
const withForm = (fields: readonly Field[]) => fields.filter(({ kind }) => kind.form)
function defaultOf(field: Field): string {
  const value = absent(field)
  return typeof value === 'string' ? `${literal(value)} as const` : literal(value)
}

/** Where the code names the fields of accounts. A new one follows the name of the person. */
const userPlaces: Record<string, Edit> = {
  'server/tables.ts': (source, fields) => addColumns(source, 'UsersTable', fields, NAME),
  'server/users/queries.ts': (source, fields) =>
    source
      .addTo('columns', 'elements', quotedNames(fields), NAME)
      .addTo(
        'forms',
        'properties',
        entries(withForm(fields), ({ kind }) => kind.form ?? ''),
      )
      .addTo(
        'toUser',
        'properties',
        entries(fields, ({ name, kind }) => (kind.form ? `fromStored(forms.${name}, row.${name})` : `row.${name}`)),
        NAME,
      )
      .addTo(
        'versionOfUser',
        'properties',
        entries(fields, () => 'true'),
        NAME,
      )
      .addTo('defaults', 'properties', entries(fields, defaultOf), NAME),
  'server/accounts/changes.ts': (source, fields) =>
    source.addTo(
      'profileFields',
      'properties',
      entries(fields, () => 'true'),
      NAME,
    ),
  'server/accounts/sample.ts': (source, fields) =>
    source
      .addTo(
        'profileSample',
        'properties',
        entries(fields, (field) => `[${[samplesOf(field).full, samplesOf(field).other].map(literal).join(', ')}]`),
        NAME,
      )
      .addTo(
        'emptyProfile',
        'properties',
        entries(fields, (field) => literal(absent(field))),
        NAME,
      ),
  'scripts/seed/demo-data.ts': (source, fields) =>
    source.addTo(
      'demoUser',
      'properties',
      fields.map((field) => demoOf(field, 'created_at')),
    ),
  'src/features/users/dialogs/user-form.tsx': (source, fields) => {
    source
      .addTo('profile', 'properties', entries(fields, userRuleOf), NAME)
      .addTo('emptyUser', 'properties', entries(fields, emptyValueOf), NAME)
      .addTo(
        'userLabels',
        'properties',
        entries(fields, ({ label }) => `'${label}'`),
        NAME,
      )
      .addTo(
        'toUserValues',
        'properties',
        entries(fields, (field) => formValueOf(field, 'user')),
        NAME,
      )
      .addAfterElement(
        NAME,
        fields.map((field) => inputOf(field, 'userLabels', 'control', userSchemaOf(field))).join('\n'),
      )
    return addFormImports(addBodyOptions(source, fields, 'toUserBody'), fields, userSchemaOf)
  },
  'src/features/users/users-page.tsx': (source, fields) =>
    addCellImports(
      source.addTo(
        'details',
        'elements',
        fields.map((field) => columnOf(field, { bounds: userSchemaOf(field), more: 'isExtra: true' })),
      ),
      fields,
      userSchemaOf,
    ),
  'src/features/users/user-page.tsx': (source, fields) => {
    const cellOf = (field: Field) =>
      field.kind.cell(`user.${field.name}`, { isNullable: field.isNullable, bounds: userSchemaOf(field) })
    const facts = fields.map(
      (field) =>
        `<DescriptionItem name="${field.label}">{${cellOf(field).replace('"cell"', '"whole"')}}</DescriptionItem>`,
    )
    return addCellImports(source.addAfterElement('Created', facts.join('\n')), fields, userSchemaOf)
  },
  'src/features/settings/profile-form.tsx': (source, fields) => {
    source
      .addTo('schema', 'properties', entries(fields, userRuleOf), NAME)
      .addTo(
        'labels',
        'properties',
        entries(fields, ({ label }) => `'${label}'`),
        NAME,
      )
      .addTo(
        'toValues',
        'properties',
        entries(fields, (field) => formValueOf(field, 'user')),
        NAME,
      )
      .addAfterElement(
        NAME,
        fields.map((field) => inputOf(field, 'labels', 'form.control', userSchemaOf(field))).join('\n'),
      )
    return addFormImports(addBodyOptions(source, fields, 'toProfileBody'), fields, userSchemaOf)
  },
  'tests/support/responses.ts': (source, fields) =>
    source.addTo(
      'makeUser',
      'properties',
      entries(fields, (field) => literal(absent(field))),
      NAME,
    ),
  'tests/support/profile-fields.ts': (source, fields) =>
    addTextImports(
      source.addTo(
        'profileFields',
        'elements',
        fields.map((field) => {
          const { full } = samplesOf(field)
          return `{ name: '${field.name}', label: '${field.label}', text: ${typedText(field, full)}, value: ${literal(full)}, empty: ${literal(absent(field))}, shown: ${seenText(field, full)} }`
        }),
      ),
      fields,
    ),
}

const read = (path: string): Source => new Source(path, readFileSync(path, 'utf8'))

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
  const change = (text: string) => rename(text, names)
  const isUsers = names.plural === 'users'
  const links = addToLinks(names.plural, fields)
  if (isUsers && links.length > 0)
    throw new Error('Accounts have no links: make a resource that links to the other one')
  const table = `${capitalize(names.plural)}Table`
  const tables = read('server/tables.ts')
  const taken = new Set([...tables.namesIn(table, 'members'), ...(isUsers ? ['password', 'confirm_password'] : [])])
  const known = fields.find(({ name }) => taken.has(unprotect(name)))
  if (known) throw new Error(`${capitalize(names.plural)} have a field “${known.name}”`)
  if (isUsers && fields.some(({ kind }) => kind.column === 'file')) throw new Error('Accounts cannot have files')
  const given = { ...names, fields }
  const edits = isUsers
    ? Object.entries(userPlaces).map(([path, edit]) => edit(read(path), fields))
    : [
        addColumns(tables, table, fields),
        ...links,
        ...[...new Set([...Object.keys(places), ...filterFiles(fields), ...linkFiles(fields)])].map((path) => {
          const filtered = addFilters(addFields(read(change(path)), path, given, change), path, fields, change)
          const source = addLinkEdits(filtered, path, given, change)
          if (path.endsWith('-dialogs.tsx')) {
            addBodyOptions(source, fields, change('toItemBody'))
            addFormImports(source, fields, (field) => change(schemaOf(field)))
          }
          if (path.startsWith('tests/')) addTextImports(source, fields)
          return path.endsWith('-page.tsx') ? addCellImports(source, fields) : source
        }),
      ]
  return {
    created: new Map([
      writeMigration(unprotect(`${names.plural}-${fields.map(({ name }) => name.replaceAll('_', '-')).join('-')}`), {
        imports: ['addColumns'],
        body: `await addColumns(db, '${names.plural}', [${fields.map((field) => columnText(field, names)).join(', ')}])`,
      }),
    ]),
    edited: new Map([
      ['openapi.json', unprotect(addFieldsToContract(readFileSync('openapi.json', 'utf8'), names, fields))],
      ...edits.map((source): [string, string] => [source.path, unprotect(String(source))]),
      raiseBudgets(names.plural, fields),
    ]),
  }
}

/** @param isNew whether the table has no rows yet */
export function columnText({ name, kind, isNullable }: Field, { plural }: Names, isNew = false): string {
  const initial = typeof kind.initial === 'string' && !isNew ? `, initial: '${kind.initial}'` : ''
  const filter = kind.filter ? ', isIndexed: true' : kind.link ? ', isFiltered: true' : ''
  const to = kind.link ? `, to: '${kind.link.to}'` : ''
  return unprotect(
    `{ name: '${name}', type: '${kind.column}'${to}${isNullable ? ', isNullable: true' : initial}${plural === 'users' ? '' : filter} }`,
  )
}
