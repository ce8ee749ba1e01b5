import { resources } from '../../src/lib/resources.ts'
import type { ResourceRow } from '../../server/resource/queries.ts'

type MakeRow = (index: number, owners: number, now: number) => ResourceRow | undefined

/** Sorts tables so that linked ones come before those that link to them. Cycles of links have no such order. */
export function linkedFirst<Table extends string>(
  tables: readonly Table[],
  linkedBy: (table: Table) => readonly Table[],
): Table[] {
  const ordered = new Set<Table>()
  const add = (table: Table, above: readonly Table[]): void => {
    if (above.includes(table)) return
    for (const linked of linkedBy(table)) add(linked, [...above, table])
    ordered.add(table)
  }
  for (const table of tables) add(table, [])
  return [...ordered]
}

/** Creates a demo row of each resource, unless it has to link to a row and there is none: a file for each in rows/. */
export const demoRows = Object.fromEntries(
  await Promise.all(
    resources.map(async ({ tag }) => {
      const { demoRow } = (await import(`./rows/${tag}.ts`)) as { demoRow: MakeRow }
      return [tag, demoRow] as const
    }),
  ),
)
