import type { Change } from '../live/read-events'

/** As many as a change of many rows names. */
const KEPT = 1_000
/** The hints of a change of many rows come before that. Rows that had the new state have none. */
const ANY_MS = 5_000

/** The newest versions that this tab has written, by id, the oldest first. */
const written = new Map<string, { version: string | null; at: number }>()
/** Stands for the version that a change of many rows has made. No entity tag is empty. */
const ANY = ''
/** How many hints a change whose answer names no rows will have, by resource: of all that match, or an import. */
const unnamed = new Map<string, { count: number; at: number }>()

interface Request {
  url?: string
  path?: Record<string, unknown>
  body?: unknown
}

/** Remembers what a successful change has written, as its result is shown without a hint. */
export function noteOwnChange(
  method: string,
  { url = '', path = {}, body }: Request,
  response: Response,
  answer: ArrayBuffer,
): void {
  const { ids, filter, dry_run } = (body ?? {}) as { ids?: string[]; filter?: object; dry_run?: boolean }
  for (const id of ids ?? []) note(id, ANY)
  const tag = response.headers.get('ETag')
  const [, resource, kind] = /\/([^/]+)\/(bulk|import)$/.exec(url) ?? []
  const isUnnamed = kind === 'import' ? dry_run !== true : filter !== undefined
  const read = (): Answer => JSON.parse(new TextDecoder().decode(answer)) as Answer
  const { id: rowId, changed = 0, invited = changed } = tag || isUnnamed ? read() : {}
  if (isUnnamed && resource !== undefined) unnamed.set(resource, { count: invited, at: Date.now() })
  const id = method === 'DELETE' ? Object.values(path).at(-1) : rowId
  if (typeof id === 'string') note(id, method === 'DELETE' ? null : tag)
}

interface Answer {
  id?: unknown
  /** How many rows a change of many has changed. */
  changed?: number
  /** The same of an import. */
  invited?: number
}

function note(id: string, version: string | null): void {
  written.delete(id)
  written.set(id, { version, at: Date.now() })
  const [oldest] = written.keys()
  if (written.size > KEPT && oldest !== undefined) written.delete(oldest)
}

const isRecent = ({ at }: { at: number }) => Date.now() - at < ANY_MS

/**
 * Whether a hint tells what this tab has written itself. A hint of somebody else may be taken for one of a change of all
 * that match; then one of that change is not.
 */
export function isOwn({ resource, id, version }: Change): boolean {
  const known = written.get(id)
  if (known?.version === version) return true
  // An entity tag comes back with an earlier state, which somebody else may restore.
  written.delete(id)
  if (known?.version === ANY && isRecent(known)) return true
  const bulk = unnamed.get(resource)
  if (!bulk || bulk.count === 0 || !isRecent(bulk)) return false
  bulk.count -= 1
  return true
}
