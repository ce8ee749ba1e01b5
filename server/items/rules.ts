import { createResourceRules } from '../resource/rules.ts'
import { itemsTable } from './queries.ts'

export const items = createResourceRules({ table: itemsTable, name: 'Item' })
