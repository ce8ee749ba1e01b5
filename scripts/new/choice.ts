import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { choiceIn, setChoice } from './contract.ts'
import { literal } from './fields.ts'
import { choice } from './kinds/choice.ts'
import { writeMigration } from './migration.ts'
import { capitalize, type Names, rename } from './names.ts'
import { descendants, nameOf } from './syntax.ts'

// Changes the values of a choice, in what scripts/new/resource.ts and scripts/new/field.ts have written.

/** Files that name the values, in the words of items, and the declaration in it that is of the resource alone. */
const files: Record<string, string | undefined> = {
  'server/tables.ts': 'ItemsTable',
  'server/items/queries.ts': undefined,
  'server/items/rules.ts': undefined,
  'server/items/sample.ts': undefined,
  'scripts/seed/items.ts': undefined,
  'src/features/items/item-dialogs.tsx': undefined,
  'src/features/items/items-list.ts': undefined,
  'tests/support/items.ts': undefined,
}
const filesOfUsers: Record<string, string | undefined> = {
  'server/tables.ts': 'UsersTable',
  'server/users/queries.ts': undefined,
  'server/accounts/sample.ts': undefined,
  'scripts/seed/demo-data.ts': undefined,
  'src/features/users/dialogs/user-form.tsx': undefined,
  'tests/support/responses.ts': 'makeUser',
  'tests/support/profile-fields.ts': undefined,
}

/** What becomes of rows with a value that goes. Null stands for no value. */
type Moves = ReadonlyMap<string, string | null>

/**
 * The contents of all files to write, by path.
 * @param moves such as `closed=done`, or `closed=` for no value
 * @throws Error for an invalid value, and unless each value that goes has a destination
 */
export function writeChoice(
  names: Names,
  field: string,
  values: readonly string[],
  moves: readonly string[],
): { created: Map<string, string>; edited: Map<string, string> } {
  choice(values)
  const contract = readFileSync('openapi.json', 'utf8')
  const { values: old, isNullable } = choiceIn(contract, names, field)
  const gone = old.filter((value) => !values.includes(value))
  const destinations = toMoves(moves, gone, values, isNullable)
  const now = samplesOf(old, values, destinations)
  const edited = new Map([['openapi.json', setChoice(contract, names, field, values)]])
  for (const [path, root] of Object.entries(names.plural === 'users' ? filesOfUsers : files)) {
    const own = names.plural === 'users' ? path : rename(path, names)
    const before = readFileSync(own, 'utf8')
    const given = { field, old, values, now, root: root && (names.plural === 'users' ? root : rename(root, names)) }
    const after = changeValues(own, before, given)
    if (after !== before) edited.set(own, after)
  }
  const rows = [...destinations].map(([from, to]) => `${from}: ${literal(to)}`)
  const migration = writeMigration(`${names.plural}-${field.replaceAll('_', '-')}-values`, {
    imports: ['moveValues'],
    body: `await moveValues(db, '${names.plural}', '${field}', { ${rows.join(', ')} })`,
  })
  return { created: new Map(rows.length > 0 ? [migration] : []), edited }
}

/** @throws Error unless each value that goes has a destination */
export function toMoves(
  moves: readonly string[],
  gone: readonly string[],
  values: readonly string[],
  isNullable: boolean,
): Moves {
  const all = new Map(
    moves.map((move): [string, string | null] => {
      const [from = '', to = ''] = move.split('=').map((one) => one.trim())
      if (!gone.includes(from)) throw new Error(`“${from}” is no value that goes`)
      if (to === '' ? !isNullable : !values.includes(to)) throw new Error(`“${to}” is no value that rows can have`)
      return [from, to === '' ? null : to]
    }),
  )
  const left = gone.filter((value) => !all.has(value))
  if (left.length > 0)
    throw new Error(`Say what becomes of rows with ${left.join(', ')}: --move ${left[0]}=${values[0] ?? ''}`)
  return all
}

/** The values of defaults and samples. The first two of the old ones are different samples, and stay different. */
function samplesOf(old: readonly string[], values: readonly string[], moves: Moves): ReadonlyMap<string, string> {
  const samples = old.slice(0, 2)
  const used = new Set(samples.filter((value) => values.includes(value)))
  return new Map(
    old.map((value) => {
      if (values.includes(value)) return [value, value]
      const wanted = [moves.get(value), ...values].flatMap((one) => one ?? [])
      const now = (samples.includes(value) && wanted.find((one) => !used.has(one))) || wanted[0] || value
      used.add(now)
      return [value, now]
    }),
  )
}

interface Change {
  field: string
  old: readonly string[]
  values: readonly string[]
  now: ReadonlyMap<string, string>
  /** The declaration to change; by default, all. */
  root: string | undefined
}

/** The text of a file with the new values. @throws Error if the declaration does not exist */
export function changeValues(path: string, text: string, { field, old, values, now, root }: Change): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const isRoot = (node: ts.Node) => !ts.isStringLiteral(node) && !ts.isIdentifier(node) && nameOf(node) === root
  const top = root === undefined ? file : descendants(file).find(isRoot)
  if (!top) throw new Error(`${path} does not contain “${root}”: adapt scripts/new/choice.ts`)
  const label = field.split('_').map(capitalize).join(' ')
  const isAll = (nodes: readonly string[]) => nodes.length === old.length && nodes.every((one, at) => one === old[at])

  /** The new text of a node. `undefined` if it has none of its own. */
  function changed(node: ts.Node): string | undefined {
    if (!isOf(node, field, label)) return undefined
    if (ts.isUnionTypeNode(node)) {
      const texts = node.types.map((type) => type.getText())
      if (!isAll(texts.filter((one) => one !== 'null').map((one) => one.slice(1, -1)))) return undefined
      return [...values.map(literal), ...texts.filter((one) => one === 'null')].join(' | ')
    }
    if (
      ts.isArrayLiteralExpression(node) &&
      isAll(node.elements.map((one) => (ts.isStringLiteral(one) ? one.text : '')))
    )
      return `[${values.map(literal).join(', ')}]`
    if (!ts.isStringLiteral(node)) return undefined
    return now.has(node.text) ? literal(now.get(node.text)) : undefined
  }

  const edits: { node: ts.Node; text: string }[] = []
  function visit(node: ts.Node): void {
    const next = changed(node)
    if (next === undefined) ts.forEachChild(node, visit)
    else edits.push({ node, text: next })
  }
  ts.forEachChild(top, visit)
  return edits
    .toReversed()
    .reduce((left, { node, text: next }) => left.slice(0, node.getStart()) + next + left.slice(node.end), text)
}

/** Whether a node is a value of the field: of a property with its name, or of an object with its label. */
function isOf(node: ts.Node, field: string, label: string): boolean {
  for (let { parent } = node; !ts.isSourceFile(parent); parent = parent.parent) {
    if (!ts.isPropertyAssignment(parent) && !ts.isPropertySignature(parent) && !ts.isBindingElement(parent)) continue
    if (nameOf(parent) === field) return true
    const object = parent.parent
    return (
      ts.isObjectLiteralExpression(object) &&
      /^(text|shown|value)$/.test(nameOf(parent) ?? '') &&
      object.properties.some((one) => one.getText() === `label: '${label}'`)
    )
  }
  return false
}
