import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// Adds a field to items by hand. The result of `npm run new` must not depend on it.

const changes: readonly (readonly [path: string, before: string, after: string])[] = [
  [
    'server/items/queries.ts',
    '  fields: {\n',
    "  fields: {\n    starred: { form: 'flag', initial: false, filter: 'value' },\n",
  ],
  ['scripts/seed/rows/items.ts', 'return { ...row, title', 'return { ...row, starred: false, title'],
  [
    'src/features/items/items-list.ts',
    'created_to: dayOrTime()',
    "created_to: dayOrTime(), starred: choice(['yes', 'no'])",
  ],
  ['src/features/items/items-list.ts', "sorts: ['title'", "sorts: ['title', 'starred'"],
  ['src/features/items/items-list.ts', 'import { dayOrTime', 'import { choice, dayOrTime'],
  [
    'src/features/items/items-page.tsx',
    "  {\n    header: 'ID'",
    "  { header: 'Starred', kind: 'flag', width: 5, cell: ({ starred }) => (starred ? 'Yes' : 'No') },\n  {\n    header: 'ID'",
  ],
  [
    'src/features/items/items-page.tsx',
    "filters={(filter) => <FilterCreated {...filter.range('created')} />}",
    `filters={(filter) => (<><FilterCreated {...filter.range('created')} /><FilterSelect label="Starred" {...filter.one('starred')} /></>)}`,
  ],
  [
    'src/features/items/items-page.tsx',
    'import { type ColumnsOf',
    "import { FilterSelect } from '@/components/list/filter-select'\nimport { type ColumnsOf",
  ],
  ['src/features/items/item-dialogs.tsx', 'z.object({', 'z.object({ starred: z.boolean(),'],
  ['src/features/items/item-dialogs.tsx', 'emptyValues = {', 'emptyValues = { starred: false,'],
  ['src/features/items/item-dialogs.tsx', 'labels = {', "labels = { starred: 'Starred',"],
  [
    'src/features/items/item-dialogs.tsx',
    'return { title: row.title',
    'return { starred: row.starred, title: row.title',
  ],
  [
    'src/features/items/item-dialogs.tsx',
    '      <TextField control={control} name="description"',
    '      <CheckboxField control={control} name="starred" label={labels.starred} />\n      <TextField control={control} name="description"',
  ],
  ['src/features/items/item-dialogs.tsx', 'import { TextField }', 'import { CheckboxField, TextField }'],
]

const migration = `import type { Kysely } from 'kysely'
import { addColumns } from '../resource/table.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'items', [{ name: 'starred', type: 'flag', isIndexed: true }])
}
`

interface Contract {
  paths: Record<string, { get: { parameters: object[] } }>
  components: {
    parameters: Record<string, object> & { ItemSort: { schema: { enum: string[] } } }
    schemas: Record<string, { properties: Record<string, object>; required?: string[] }> & {
      ItemsBulk: { properties: { filter: { propertyNames: { enum: string[] }; properties: Record<string, object> } } }
    }
  }
}

function changeContract(text: string): string {
  const contract = JSON.parse(text) as Contract
  const { parameters, schemas } = contract.components
  for (const name of ['ItemPublic', 'ItemCreate', 'ItemUpdate'])
    Object.assign(schemas[name]?.properties ?? {}, {
      starred: { type: 'boolean', ...(name === 'ItemCreate' && { default: false }) },
    })
  schemas.ItemPublic?.required?.push('starred')
  const schema = { type: 'string', enum: ['yes', 'no'] }
  const description = 'Only items with or without a star.'
  parameters.ItemStarred = { name: 'starred', in: 'query', description, schema }
  for (const path of ['/api/v1/items/', '/api/v1/items/export'])
    contract.paths[path]?.get.parameters.push({ $ref: '#/components/parameters/ItemStarred' })
  const { filter } = schemas.ItemsBulk.properties
  filter.propertyNames.enum.push('starred')
  filter.properties.starred = { ...schema, description }
  parameters.ItemSort.schema.enum.push('starred', '-starred')
  return `${JSON.stringify(contract, null, 2)}\n`
}

/** Changes items in a folder. @throws Error if one of the changes does not find its place */
export function changeByHand(folder: string): void {
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(folder, path), change(readFileSync(join(folder, path), 'utf8')))
  for (const [path, before, after] of changes)
    edit(path, (text) => {
      if (text.split(before).length !== 2) throw new Error(`${path} does not have exactly once: ${before}`)
      return text.replace(before, () => after)
    })
  edit('openapi.json', changeContract)
  writeFileSync(join(folder, 'server/migrations/8000-items-starred.ts'), migration)
}
