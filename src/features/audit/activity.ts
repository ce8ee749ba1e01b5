import type { AuditEntry } from '@/client/types.gen'
import { isByServer } from './audit-words'

/** What one person did to several rows, or a single entry. */
export interface Activity {
  /** The entry of the whole if there is one, otherwise the newest. */
  entry: AuditEntry
  count: number
  /** Older entries may belong to it. */
  isOpenEnded: boolean
}

/** After a longer pause, the same is another activity. */
const PAUSE_MS = 3_600_000

/**
 * Combines entries of the same kind by the same person, and those of an import or of many rows with the entry of the whole.
 * What others did meanwhile does not separate them.
 */
export function combineEntries({ data, next }: { data: readonly AuditEntry[]; next: string | null }): Activity[] {
  const activities: (Activity & { since: number })[] = []
  const lastOf = (entry: AuditEntry) => activities.findLast((one) => isByTheSame(one.entry, entry))
  for (const entry of data) {
    if (isPartOfLogIn(entry)) continue
    const since = Date.parse(entry.at)
    const before = lastOf(entry)
    const last = before && before.since - since <= PAUSE_MS ? before : undefined
    const number = numberOf(entry)
    if (last && number >= last.count && numberOf(last.entry) === 0) Object.assign(last, { entry, count: number, since })
    else if (last && number === 0 && isSameKind(last.entry, entry))
      Object.assign(last, { count: last.count + 1, since })
    else activities.push({ entry, count: number || 1, isOpenEnded: false, since })
  }
  const end = Date.parse(data.at(-1)?.at ?? '')
  for (const one of activities) {
    const isLast = lastOf(one.entry) === one && one.since - end <= PAUSE_MS
    one.isOpenEnded = next !== null && isLast && one.count > 1 && numberOf(one.entry) === 0
  }
  return activities
}

/** A log-in has its own entry, which says how. */
const isPartOfLogIn = ({ action, result }: AuditEntry): boolean => action === 'second-factor' && result === 'done'

const isSameKind = (one: AuditEntry, other: AuditEntry): boolean =>
  one.action === other.action && one.result === other.result

function isByTheSame(one: AuditEntry, other: AuditEntry): boolean {
  return one.actor === null ? isByServer(one) && isByServer(other) : one.actor.id === other.actor?.id
}

/** The number of rows in the entry of a whole, which stands before theirs; otherwise 0. */
function numberOf({ action, details }: AuditEntry): number {
  const number = details?.['number']
  return /-(?:bulk|import)$/.test(action) && typeof number === 'number' ? number : 0
}
