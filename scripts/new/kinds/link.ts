import { readFileSync } from 'node:fs'
import { listedNames, protect } from '../names.ts'
import type { Kind } from './kind.ts'

/** Of the rows that tests link to. */
const FIRST = '11111111-1111-4111-8111-111111111111'
const SECOND = '22222222-2222-4222-8222-222222222222'
const nameOf = (id: unknown): string => (id === FIRST ? 'Linked 1' : 'Linked 2')

const rules = ['refuse', 'clear', 'delete']

/**
 * A row of another resource. Its deletion is refused while a row links to it, unless the definition says `clear` or
 * `delete`.
 * @throws Error for an unknown resource or rule
 */
export function link([plural = '', onDelete = 'refuse', ...more]: readonly string[]): Kind {
  if (plural === 'users')
    throw new Error('A link cannot lead to users, whom only superusers see: a row has its owner in owner_id')
  const names = listedNames().find((one) => one.plural === plural)
  if (!names) throw new Error(`“${plural}” is no resource: write link(NAME), with the plural of one that exists`)
  if (!rules.includes(onDelete) || more.length > 0)
    throw new Error(
      `A link is refused, cleared or deleted with the row that it leads to: ${rules.map((rule) => `link(${plural}, ${rule})`).join(', ')}`,
    )
  // The first searched text is the name of a row.
  const [, nameField = ''] = /searched: \['(\w+)'/.exec(readFileSync(`server/${plural}/queries.ts`, 'utf8')) ?? []
  const to = protect(plural)
  return {
    type: 'string',
    column: 'link',
    link: { to, noun: protect(names.noun), onDelete, nameField: protect(nameField), nameOf },
    schema: { type: 'string', format: 'uuid', 'x-normalize': 'lowercase' },
    rule: ({ isNullable, missing }) => `linkedRow(${isNullable ? '' : missing})`,
    input: { component: 'LinkField', attributes: () => `to="${to}"` },
    beside: (name) => name.replace(/_id$/, '_name'),
    // The name is null if the reader may not see the row.
    cell: (value) => {
      const name = value.replace(/_id$/, '_name')
      return `${value} && ${name} && <RowLink to="/${to}" id={${value}} name={${name}} />`
    },
    demo: () => `demoLink('${to}', row.owner_id)`,
    sample: () => ({ least: FIRST, full: SECOND, other: FIRST, wrong: 'nobody' }),
    shown: nameOf,
  }
}
