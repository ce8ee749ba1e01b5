import { History } from './history'

/** What was done to a row. Its entries are about the owner, and have its id in their details. */
export function RowHistory({ row: { id, owner_id } }: { row: { id: string; owner_id: string } }) {
  return <History of={{ subject_id: owner_id, q: id }} />
}
