import { BEGIN } from '../demo-data.ts'
import type { Gizmo } from '../../../server/gizmos/queries.ts'

export function demoRow(index: number, owners: number, now: number): Gizmo | undefined {
  const row = BEGIN('gizmo', index, owners, now, NEEDED)
  return row && { ...row, DEMO }
}
