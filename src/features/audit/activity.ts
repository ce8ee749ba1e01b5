import type { AuditEntry } from '@/client/types.gen'
import { isByServer } from './audit-words'

/** One or more entries of the audit log that are shown as one. */
export interface Activity {
  /** The entry about the whole import or bulk action, otherwise the newest entry. */
  entry: AuditEntry
  count: number
  isOpenEnded: boolean
}

/** Entries with a longer pause between them are separate activities. */
const PAUSE_MS = 3_600_000

/** Combines similar entries by the same person, even if entries of other people are in between. */
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

// The entry of the log-in already says how the person logged in.
const isPartOfLogIn = ({ action, result }: AuditEntry): boolean => action === 'second-factor' && result === 'done'

const isSameKind = (one: AuditEntry, other: AuditEntry): boolean =>
  one.action === other.action && one.result === other.result

const isByTheSame = (one: AuditEntry, other: AuditEntry): boolean =>
  one.actor === null ? isByServer(one) && isByServer(other) : one.actor.id === other.actor?.id

/** The number of rows that an import or bulk action changed; 0 for entries of other actions. */
function numberOf({ action, details }: AuditEntry): number {
  const number = details?.['number']
  return /-(?:bulk|import)$/.test(action) && typeof number === 'number' ? number : 0
}
