import { createResourceRules } from '../resource/rules.ts'
import { gizmosTable } from './queries.ts'

export const gizmos = createResourceRules({ table: gizmosTable, name: 'Gizmo' })
