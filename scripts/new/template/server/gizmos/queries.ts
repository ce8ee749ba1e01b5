import type { GizmoPublic, GizmoSort, GizmosReadGizmosData } from '../contract/index.ts'
import { createResourceTable, type RowOf, type SortOf } from '../resource/queries.ts'

export type Gizmo = RowOf<GizmoPublic>

export const gizmosTable = createResourceTable<Gizmo, SortOf<GizmoSort>, NonNullable<GizmosReadGizmosData['query']>>({
  table: 'gizmos',
  fields: { COLUMNS },
  filters: {},
})
