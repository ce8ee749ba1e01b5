import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changeValues, toMoves, writeChoice } from '../scripts/new/choice.ts'
import { readNames, writeFields } from '../scripts/new/field.ts'
import { toFirstFields, toFurtherFields } from '../scripts/new/fields.ts'
import { requireFree } from '../scripts/new/free.ts'
import { guessedIcons, toIcon } from '../scripts/new/icons.ts'
import { kinds } from '../scripts/new/kinds/all.ts'
import { rename, toNames } from '../scripts/new/names.ts'
import { removeResource } from '../scripts/new/remove.ts'
import { writeResource } from '../scripts/new/resource.ts'

/** Items may be removed. */
const hasItems = existsSync('server/items/rules.ts')
const isLinked = /links: .*to: 'items'/.test(readFileSync('src/lib/resources.ts', 'utf8'))

const gadget = (fields: string) => ({
  ...toNames('gadget', undefined),
  fields: toFirstFields(fields),
  icon: 'Package',
})

test.each([
  ['Note', undefined, '“Note” is not a valid name'],
  ['due_date', undefined, '“due_date” is not a valid name'],
  ['argument', undefined, 'A table cannot be called “arguments”'],
  ['value', undefined, 'A table cannot be called “values”'],
  ['sheep', 'sheep', 'The plural must differ from “sheep”'],
  ['abcdefghijklmnopqrstuvw', undefined, 'has more than 20 letters'],
])('rejects the noun %s with the plural %s', (noun, plural, message) => {
  expect(() => toNames(noun, plural)).toThrow(message)
})

test.each([
  ['body', '“body” is not a field'],
  ['body:text?', 'The first field is the name of a row'],
  ['done:boolean', 'The first field is the name of a row'],
  ['body:words', '“words” is not a kind of field'],
  ['body:text, owner_id:text', 'A field cannot be called “owner_id”'],
  ['body:text, due_at:date', 'Only a time can be called “due_at”'],
  ['body:text, created_at:time', 'A field cannot be called “created_at”'],
  ['body:text, updated_at:time?', 'A field cannot be called “updated_at”'],
  ['body:text, price:decimal', '“decimal” is not a kind of field'],
  ['body:text, price:decimal(2)', 'A decimal has at most 15 digits'],
  ['body:text, price:decimal(2,2)', 'A decimal has at most 15 digits'],
  ['body:text, price:decimal(16,2)', 'A decimal has at most 15 digits'],
  ['body:text, price:decimal(5,0)', 'A decimal has at most 15 digits'],
  ['body:text, page:integer', 'A field cannot be called “page”'],
  ['body:text, count:integer', 'A field cannot be called “count”'],
  ['body:text, from:time?', 'A field cannot be called “from”'],
  ['body:text, edit:boolean', 'A field cannot be called “edit”'],
  ['body:text, body_search:text', 'A field cannot be called “body_search”'],
  ['body:text, body:date', 'The field “body” is defined twice'],
  ['body:text, done:boolean?', '“done” is boolean, so it cannot be optional'],
  ['body:text, scan:file', '“scan” is a file, so it must be optional'],
  ['body:text, state:choice', '“choice” is not a kind of field'],
  ['body:text, state:choice(open)', 'A choice has 2 to 30 values'],
  ['body:text, state:choice(open, open)', 'A choice has a value twice'],
  ['body:text, state:choice(open, In Work)', '“In Work” is not a value of a choice'],
  ['body:text, owner:link(users)', 'A link cannot lead to users'],
  ['body:text, boat:link(boats)', '“boats” is no resource'],
])('rejects the fields %s', (fields, message) => {
  expect(() => toFirstFields(fields)).toThrow(message)
})

test('the names of the template become those of a resource, with its article', () => {
  expect([toNames('note', undefined), toNames('category', undefined), toNames('box', undefined)]).toEqual([
    { noun: 'note', plural: 'notes' },
    { noun: 'category', plural: 'categories' },
    { noun: 'box', plural: 'boxes' },
  ])
  const text = "A gizmo, or a gizmo of Gizmos: makeGizmo, gizmosQuery, 'gizmos', all gizmos"
  const named = (noun: string) => rename(text, toNames(noun, undefined))
  expect(named('category')).toBe(
    "A category, or a category of Categories: makeCategory, categoriesQuery, 'categories', all categories",
  )
  expect(['order', 'hour', 'unit', 'user', 'invoice', 'note'].map((noun) => named(noun).split(',')[0])).toEqual([
    'An order',
    'An hour',
    'A unit',
    'A user',
    'An invoice',
    'A note',
  ])
})

const everyKind =
  'body:text, more:multiline?, due_on:date?, priority:integer, done:boolean, state:choice(open, done)?, due_at:time, price:decimal(10,2)?, scan:file?'

test('a resource has few files, and each has all of its texts', () => {
  const { created, edited } = writeResource(gadget(everyKind))
  expect([...created.keys()].length).toBeLessThanOrEqual(12)
  expect([...edited.keys()]).toEqual([
    'openapi.json',
    'server/resources.ts',
    'server/routes.ts',
    'src/lib/resources.ts',
  ])
  // Words in capitals stand for texts, and the names of the template for those of the resource.
  const left = [...created].filter(([, text]) => /gizmo/i.test(text) || /\b[A-Z_]{4,}\b/.test(text))
  expect(left.map(([path]) => path)).toEqual([])
})

test.each([
  ['file', 'openapi.json has'],
  ['change', 'there is a table “changes”'],
  ['challenge', 'there is a table “challenges”'],
  ['role', 'the audit log has its actions'],
  ['doc', 'the server has the path /docs'],
  ['guest', 'there is tests/screens/guests'],
  ['setting', 'there is src/features/settings'],
  ['link', 'there is server/links'],
])('the name %s is refused, as it is used', (noun, reason) => {
  const names = toNames(noun, undefined)
  const fields = toFirstFields('body:text')
  const { created } = writeResource({ ...names, fields, icon: 'Package' })
  expect(() => requireFree(names, fields, created.keys())).toThrow(reason)
})

test.each(['form', 'key', 'control', 'schema', 'context', 'page', 'row', 'class', 'query', 'state', 'value'])(
  'the name %s is free',
  (noun) => {
    const names = toNames(noun, noun === 'value' ? 'valuations' : undefined)
    const fields = toFirstFields('class:text, user:text?, default:choice(new, delete), values:integer?, name:text')
    const { created } = writeResource({ ...names, fields, icon: 'Package' })
    requireFree(names, fields, created.keys())
    expect(created.size).toBeGreaterThan(8)
  },
)

test('icons are guessed by the name, or given', async () => {
  const names = (noun: string) => toNames(noun, undefined)
  expect([toIcon(names('customer'), undefined), toIcon(names('order'), undefined)]).toEqual(['Contact', 'ShoppingCart'])
  expect([toIcon(names('gadget'), undefined), toIcon(names('gadget'), 'shopping-cart')]).toEqual([
    'FileText',
    'ShoppingCart',
  ])
  expect(() => toIcon(names('gadget'), 'NoSuchIcon')).toThrow('has no icon “NoSuchIcon”')
  const { icons } = await import('lucide-react')
  expect(guessedIcons.filter((icon) => !Object.hasOwn(icons, icon))).toEqual([])
})

test('demo data fits the names of fields', () => {
  const { created } = writeResource({
    ...gadget('name:text, email:text?, phone:text, website:text?, company:text, born_on:date, year:integer'),
    ...toNames('customer', undefined),
  })
  const text = created.get('scripts/seed/rows/customers.ts') ?? ''
  const calls = [
    'person.fullName',
    'internet.exampleEmail',
    'phone.number',
    'internet.url',
    'company.name',
    'date.birthdate',
  ]
  expect(calls.filter((call) => !text.includes(`english.${call}(`))).toEqual([])
  expect(text).toContain('year: english.number.int({ min: 1990')
})

test.runIf(hasItems).each([
  ['item:link(items, keep)', 'A link is refused, cleared or deleted'],
  ['item:link(items, clear)', '“item” cannot be cleared'],
  ['one:link(items), one_name:text', '“one_name” is defined twice'],
])('rejects the links %s', (fields, message) => {
  expect(() => toFirstFields(`body:text, ${fields}`)).toThrow(message)
})

test.runIf(hasItems)('a link is in the table, in the list of resources and in the contract', () => {
  const { created, edited } = writeResource(
    gadget('body:text, item:link(items, delete), last_item:link(items, clear)?'),
  )
  expect(created.get('server/gadgets/queries.ts')).toContain(
    "item_id: { link: { to: 'items', onDelete: 'delete' } }, last_item_id: { link: { to: 'items', onDelete: 'clear' } }",
  )
  expect(created.get('scripts/seed/rows/gadgets.ts')).toContain(
    "beginLinkedRow('gadget', index, owners, now, ['items'])",
  )
  expect(edited.get('src/lib/resources.ts')).toContain(
    "tag: 'gadgets', noun: 'gadget', title: 'Gadgets', hasPages: true, links: { item_id: { to: 'items', onDelete: 'delete' }, last_item_id:",
  )
  const { paths, components } = JSON.parse(edited.get('openapi.json') ?? '') as {
    paths: Record<string, { delete: { responses: object } }>
    components: { schemas: Record<string, { required: string[] }> }
  }
  expect(components.schemas.GadgetPublic?.required).toEqual(
    expect.arrayContaining(['item_id', 'item_name', 'last_item_id', 'last_item_name']),
  )
  expect(Object.keys(paths['/api/v1/items/{id}']?.delete.responses ?? {})).toContain('409')
})

test('further fields are optional, and new', () => {
  expect(() => toFurtherFields('phone:text')).toThrow('Existing rows have no “phone”')
  expect(() => readNames('boxes')).toThrow('“boxes” is none of users')
  expect(() => writeFields(readNames('user'), toFurtherFields('full_name:text?'))).toThrow('have a field “full_name”')
  expect(() => writeFields(readNames('users'), toFurtherFields('password:text?'))).toThrow('have a field “password”')
  expect(() => writeFields(readNames('users'), toFurtherFields('scan:file?'))).toThrow('Accounts cannot have files')
})

test.runIf(hasItems)('further fields of items are new', () => {
  expect(() => writeFields(readNames('item'), toFurtherFields('title:text?'))).toThrow('have a field “title”')
})

test.runIf(hasItems && !isLinked)('after a removal of items no list of resources names them', () => {
  const changes = removeResource(readNames('items'))
  const lists = ['server/resources.ts', 'server/routes.ts', 'src/lib/resources.ts'].map(
    (path) => [path, changes.get(path) ?? ''] as const,
  )
  expect(
    lists.filter(([, text]) => /\b(items?|Items)\b/.test(text.replace(/formerResources.*/, ''))).map(([path]) => path),
  ).toEqual([])
  const contract = JSON.parse(changes.get('openapi.json') ?? '') as object
  expect(JSON.stringify(contract)).not.toMatch(/ItemPublic|api\/v1\/items/)
  expect([changes.get('server/items/rules.ts'), changes.get('src/routes/_layout/items.tsx')]).toEqual(['', ''])
})

/** Accounts support no files. */
const kindsOf = (plural: string) => Object.entries(kinds).filter(([name]) => plural !== 'users' || name !== 'file')

const furtherFields = (plural: string) =>
  [
    ...kindsOf(plural).map(([name, kind]) => `more_${name}:${name}${kind.initial === undefined ? '?' : ''}`),
    'more_choice:choice(open, done)',
    'more_decimal:decimal(5,2)?',
  ].join()

test.each(['users', ...(hasItems ? ['items'] : [])])('all edits for further fields of %s succeed, once', (plural) => {
  const { created, edited } = writeFields(readNames(plural), toFurtherFields(furtherFields(plural)))
  expect([...created.keys()]).toEqual([
    expect.stringMatching(new RegExp(`^server/migrations/\\d{4}-${plural}-more-text-`)),
  ])
  expect(edited.size).toBeLessThanOrEqual(8)
  const named = (path: string) => (path.endsWith('-list.ts') ? [] : kindsOf(plural).map(([name]) => name))
  const unnamed = [...edited].filter(([path, text]) =>
    [...named(path), 'choice'].some((name) => !text.includes(`more_${name}`)),
  )
  expect(unnamed.map(([path]) => path)).toEqual([])
})

test('a filter that a list has already is refused', () => {
  expect(() => writeResource(gadget('body:text, created:date?'))).toThrow('already filtered by “created_from”')
})

test('the page of a row with one field shows it', () => {
  const page = writeResource(gadget('body:text')).created.get('src/features/gadgets/gadget-page.tsx')
  // Otherwise, the row and the component would be unused, which the compiler refuses.
  expect(page).toContain('<Value name="Body"')
})

test('the filters of a page are in the order of the fields, and many are in a sheet', () => {
  const pageOf = (fields: string) =>
    writeResource(gadget(fields)).created.get('src/features/gadgets/gadgets-page.tsx') ?? ''
  const page = pageOf('body:text, state:choice(open, done), due_on:date?, rank:integer')
  const filters = Array.from(page.matchAll(/<Filter(?!Owner)\w+ (?:label="(.*?)")?/g), ([, label = 'Created']) => label)
  expect(filters).toEqual(['Created', 'State', 'Due On', 'Rank'])
  expect(page).toContain('hasManyFilters')
  expect(pageOf('body:text, done:boolean')).not.toContain('hasManyFilters')
})

test('the values of a choice change where they are named, but not those of another field', () => {
  const change = {
    field: 'state',
    old: ['open', 'late', 'closed'],
    values: ['open', 'done'],
    now: new Map([
      ['open', 'open'],
      ['late', 'done'],
      ['closed', 'done'],
    ]),
  }
  const before = `const fields = { state: { initial: 'late', filter: 'value' }, other: { initial: 'late' } }
    const task = { state: pick(['open', 'late', 'closed'] as const), other: 'late' }`
  expect(changeValues('x.ts', before, change))
    .toBe(`const fields = { state: { initial: 'done', filter: 'value' }, other: { initial: 'late' } }
    const task = { state: pick(['open', 'done'] as const), other: 'late' }`)
})

test('each value of a choice that goes needs a destination', () => {
  const to = (moves: string[], isNullable = false) => [
    ...toMoves(moves, ['late', 'closed'], ['open', 'done'], isNullable),
  ]
  expect(to(['late=open', 'closed = done'])).toEqual([
    ['late', 'open'],
    ['closed', 'done'],
  ])
  expect(to(['late=', 'closed=done'], true)[0]).toEqual(['late', null])
  expect(() => to(['late=open'])).toThrow('Say what becomes of rows with closed: --move closed=open')
  expect(() => to(['open=done'])).toThrow('“open” is no value that goes')
  expect(() => to(['late=closed'])).toThrow('“closed” is no value that rows can have')
  expect(() => to(['late='])).toThrow('“” is no value that rows can have')
  expect(() => writeChoice(readNames('users'), 'full_name', ['a', 'b'], [])).toThrow('Users have no choice “full_name”')
})

test('a name that is already used is rejected without changes', () => {
  const before = readFileSync('openapi.json', 'utf8')
  const args = ['scripts/new.ts', 'resource', 'file']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([
    1,
    '',
    'A resource cannot be called “file” here: openapi.json has “files”. Choose another word\n',
  ])
  expect(readFileSync('openapi.json', 'utf8')).toBe(before)
})
