import { readdirSync } from 'node:fs'

const folder = 'server/migrations'

export function writeMigration(
  name: string,
  { imports, body }: { imports: string[]; body: string },
): [path: string, text: string] {
  const numbers = readdirSync(folder).map((file) => Number.parseInt(file, 10))
  const last = Math.max(...numbers.filter((number) => !Number.isNaN(number)))
  const text = `import type { Kysely } from 'kysely'
import { ${imports.join(', ')} } from '../resource/table.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  ${body}
}
`
  return [`${folder}/${String(last + 1).padStart(4, '0')}-${name}.ts`, text]
}
