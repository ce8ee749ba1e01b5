import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { choiceIn, setChoice } from './contract.ts'
import { literal } from './fields.ts'
import { choice } from './kinds/choice.ts'
import { writeMigration } from './migration.ts'
import type { Names } from './names.ts'
import { nameOf } from './syntax.ts'

const filesOf = ({ noun, plural }: Names): string[] =>
  plural === 'users'
    ? ['server/users/queries.ts', 'scripts/seed/demo-data.ts', 'src/features/users/dialogs/user-form.tsx']
    : [
        `server/${plural}/queries.ts`,
        `scripts/seed/rows/${plural}.ts`,
        `src/features/${plural}/${noun}-dialogs.tsx`,
        `src/features/${plural}/${plural}-list.ts`,
      ]

/** What becomes of rows with a value that goes. Null stands for no value. */
type Moves = ReadonlyMap<string, string | null>

/**
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
  const edited = new Map([['openapi.json', setChoice(contract, names, field, { values, now })]])
  for (const path of filesOf(names)) {
    const before = readFileSync(path, 'utf8')
    const after = changeValues(path, before, { field, old, values, now })
    if (after !== before) edited.set(path, after)
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

/** What becomes of each value in the code: of defaults and demo data. The first two stay different. */
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
}

export function changeValues(path: string, text: string, { field, old, values, now }: Change): string {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const isAll = (nodes: readonly string[]) => nodes.length === old.length && nodes.every((one, at) => one === old[at])

  function changed(node: ts.Node): string | undefined {
    if (!isOf(node, field)) return undefined
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
  ts.forEachChild(file, visit)
  return edits
    .toReversed()
    .reduce((left, { node, text: next }) => left.slice(0, node.getStart()) + next + left.slice(node.end), text)
}

/** Whether a node is a value of the field: of a property with its name, or the default in that. */
function isOf(node: ts.Node, field: string): boolean {
  for (let { parent } = node; !ts.isSourceFile(parent); parent = parent.parent) {
    if (!ts.isPropertyAssignment(parent) || nameOf(parent) === 'initial') continue
    return nameOf(parent) === field
  }
  return false
}
