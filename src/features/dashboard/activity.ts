import type { AuditEntry } from '@/client/types.gen'

/** What one person did to several rows, or a single entry. */
export interface Activity {
  /** The entry of the whole if there is one, otherwise the newest. */
  entry: AuditEntry
  count: number
  /** Older entries may belong to it. */
  isOpenEnded: boolean
}

/** Combines entries of the same kind by the same person, and those of an import or of many rows with the entry of the whole. */
export function combineEntries({ data, next }: { data: readonly AuditEntry[]; next: string | null }): Activity[] {
  const activities: Activity[] = []
  for (const entry of data) {
    const last = activities.at(-1)
    const isByTheSame = last !== undefined && entry.actor !== null && entry.actor.id === last.entry.actor?.id
    const number = numberOf(entry)
    if (isByTheSame && number >= last.count && numberOf(last.entry) === 0) Object.assign(last, { entry, count: number })
    else if (isByTheSame && entry.action === last.entry.action && entry.result === last.entry.result && number === 0)
      last.count += 1
    else activities.push({ entry, count: number || 1, isOpenEnded: false })
  }
  const last = activities.at(-1)
  if (last && last.count > 1 && next !== null && numberOf(last.entry) === 0) last.isOpenEnded = true
  return activities
}

/** The number of rows in the entry of a whole, which stands before theirs; otherwise 0. */
function numberOf({ action, details }: AuditEntry): number {
  const number = details?.['number']
  return /-(?:bulk|import)$/.test(action) && typeof number === 'number' ? number : 0
}
