import { History } from './history'

/** What was done to a row. Audit entries of a row are about its owner, and have the id of the row in their details. */
export function RowHistory({ row: { id, owner_id } }: { row: { id: string; owner_id: string } }) {
  return <History of={{ subject_id: owner_id, q: id }} />
}
