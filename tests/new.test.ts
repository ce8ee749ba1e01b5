import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { changeValues, toMoves, writeChoice } from '../scripts/new/choice.ts'
import { readNames, writeFields } from '../scripts/new/field.ts'
import { toFirstFields, toFurtherFields } from '../scripts/new/fields.ts'
import { kinds } from '../scripts/new/kinds/all.ts'
import { rename, toNames } from '../scripts/new/names.ts'
import { removeResource } from '../scripts/new/remove.ts'
import { registrations, writeResource } from '../scripts/new/resource.ts'

/** Without items, the generator reads its template from the history of git. */
const hasItems = existsSync('server/items/rules.ts')
const isLinked = /from: '(?!items)\w+'[^}]*to: 'items'/.test(readFileSync('src/data/links.ts', 'utf8'))

test.each([
  ['Note', undefined, '“Note” is not a valid name'],
  ['due_date', undefined, '“due_date” is not a valid name'],
  ['class', undefined, '“class” is a reserved word'],
  ['user', undefined, '“user” is a reserved word'],
  ['item', undefined, '“item” is a reserved word'],
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
  ['body:text, class:text', 'A field cannot be called “class”'],
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

test('replaces the singular and plural names of items', () => {
  expect([toNames('note', undefined), toNames('category', undefined), toNames('box', undefined)]).toEqual([
    { noun: 'note', plural: 'notes' },
    { noun: 'category', plural: 'categories' },
    { noun: 'box', plural: 'boxes' },
  ])
  const text = 'An item of Items: makeItem, itemsQuery, \'items\', className="items-center"'
  expect(rename(text, toNames('category', undefined))).toBe(
    'A category of Categories: makeCategory, categoriesQuery, \'categories\', className="items-center"',
  )
})

test('all edits of the files of items succeed, and no name of items remains', () => {
  const fields = toFirstFields(
    'body:text, more:multiline?, due_on:date?, priority:integer, done:boolean, state:choice(open, done)?, due_at:time, price:decimal(10,2)?, scan:file?',
  )
  const { created, edited } = writeResource({ ...toNames('gizmo', undefined), fields })
  expect([created.size, edited.size]).toEqual([14, 13])
  expect([...created].filter(([, text]) => /item/i.test(text)).map(([path]) => path)).toEqual([])
})

test.runIf(hasItems).each([
  ['item:link(items, keep)', 'A link is refused, cleared or deleted'],
  ['item:link(items, clear)', '“item” cannot be cleared'],
  ['one:link(items), one_name:text', '“one_name” is defined twice'],
])('rejects the links %s', (fields, message) => {
  expect(() => toFirstFields(`body:text, ${fields}`)).toThrow(message)
})

test.runIf(hasItems)('a link keeps the names of the resource that it leads to', () => {
  const fields = toFirstFields('body:text, item:link(items, delete), last_item:link(items, clear)?')
  const { created, edited } = writeResource({ ...toNames('gizmo', undefined), fields })
  expect(created.get('server/gizmos/queries.ts')).toMatch(
    /links: \{ item_id: \{ to: 'items', onDelete: 'delete' \}, last_item_id: \{ to: 'items', onDelete: 'clear' \} \}/,
  )
  expect(edited.get('src/data/links.ts')).toContain(`from: 'gizmos', field: 'last_item_id', to: 'items'`)
  const { paths, components } = JSON.parse(edited.get('openapi.json') ?? '') as {
    paths: Record<string, { delete: { responses: object } }>
    components: { schemas: Record<string, { required: string[] }> }
  }
  expect(components.schemas.GizmoPublic?.required).toEqual(
    expect.arrayContaining(['item_id', 'item_name', 'last_item_id', 'last_item_name']),
  )
  expect(Object.keys(paths['/api/v1/items/{id}']?.delete.responses ?? {})).toContain('409')
  const all = [...created, ...edited].map(([, text]) => text)
  expect(all.filter((text) => /\u0315|gizmo_id|Gizmo_/.test(text))).toEqual([])
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
  const { changes } = removeResource(readNames('items'))
  const lists = Object.keys(registrations).map((path) => [path, changes.get(path) ?? ''] as const)
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
  const budgets = 'tests/e2e/weight-budget.json'
  const bytesOf = (text = '') => (JSON.parse(text) as Record<string, { bytes: number }>)[`/${plural}`]?.bytes ?? 0
  expect(bytesOf(edited.get(budgets))).toBeGreaterThan(bytesOf(readFileSync(budgets, 'utf8')))
  edited.delete(budgets)
  const named = (path: string) => (path.endsWith('-list.ts') ? [] : kindsOf(plural).map(([name]) => name))
  const unnamed = [...edited].filter(([path, text]) =>
    [...named(path), 'choice'].some((name) => !text.includes(`more_${name}`)),
  )
  expect(unnamed.map(([path]) => path)).toEqual([])
})

test('a filter that a list has already is refused', () => {
  const fields = toFirstFields('body:text, created:date?')
  expect(() => writeResource({ ...toNames('gizmo', undefined), fields })).toThrow('already filtered by “created_from”')
})

test('the filters of a page are in the order of the fields, and many are in a sheet', () => {
  const fields = toFirstFields('body:text, state:choice(open, done), due_on:date?, rank:integer')
  const { created } = writeResource({ ...toNames('gizmo', undefined), fields })
  const page = created.get('src/features/gizmos/gizmos-page.tsx') ?? ''
  const filters = Array.from(page.matchAll(/<Filter(?!Owner)\w+ (?:label="(.*?)")?/g), ([, label = 'Created']) => label)
  expect(filters).toEqual(['Created', 'State', 'Due On', 'Rank'])
  expect(page).toContain('hasManyFilters')
  const few = writeResource({ ...toNames('gizmo', undefined), fields: toFirstFields('body:text, done:boolean') })
  expect(few.created.get('src/features/gizmos/gizmos-page.tsx')).not.toContain('hasManyFilters')
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
    root: undefined,
  }
  const before = `interface Task { state: 'open' | 'late' | 'closed' | null; other: 'open' | 'late' | 'closed' }
    const task = { state: pick(['open', 'late', 'closed'] as const), other: 'late' }
    const make = ({ state = 'late', other = 'late' }) => [{ label: 'State', shown: text('late') }, { label: 'Other', shown: text('late') }]`
  expect(changeValues('x.ts', before, change))
    .toBe(`interface Task { state: 'open' | 'done' | null; other: 'open' | 'late' | 'closed' }
    const task = { state: pick(['open', 'done'] as const), other: 'late' }
    const make = ({ state = 'done', other = 'late' }) => [{ label: 'State', shown: text('done') }, { label: 'Other', shown: text('late') }]`)
  expect(() => changeValues('x.ts', before, { ...change, root: 'Note' })).toThrow('x.ts does not contain “Note”')
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
  const args = ['scripts/new.ts', 'resource', 'message']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect([status, stdout, stderr]).toEqual([1, '', '“message” is already used in openapi.json\n'])
  expect(readFileSync('openapi.json', 'utf8')).toBe(before)
})
