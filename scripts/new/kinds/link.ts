import { listedNames } from '../names.ts'
import type { Kind } from './kind.ts'

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
  return {
    type: 'string',
    column: 'link',
    link: { to: plural, noun: names.noun, onDelete },
    schema: { type: 'string', format: 'uuid', 'x-normalize': 'lowercase' },
    rule: ({ isNullable, missing }) => `linkedRow(${isNullable ? '' : missing})`,
    input: { component: 'LinkField', attributes: () => `to="${plural}"` },
    beside: (name) => name.replace(/_id$/, '_name'),
    // The name is null if the reader may not see the row.
    cell: (value) => {
      const name = value.replace(/_id$/, '_name')
      return `${value} && ${name} && <RowLink to="${plural}" id={${value}} name={${name}} />`
    },
    demo: () => `demoLink('${plural}', row.owner_id)`,
  }
}
