import type { Change } from '../live/read-events'

const KEPT = 200
/** The hints of a change of many rows come before that. Rows that had the new state have none. */
const ANY_MS = 5_000

/** The newest versions that this tab has written, by id, the oldest first. */
const written = new Map<string, { version: string | null; at: number }>()
/** Stands for the version that a change of many rows has made. No entity tag is empty. */
const ANY = ''

interface Request {
  path?: Record<string, unknown>
  body?: unknown
}

/** Remembers what a successful change has written, as its result is shown without a hint. */
export function noteOwnChange(
  method: string,
  { path = {}, body }: Request,
  response: Response,
  answer: ArrayBuffer,
): void {
  const { ids = [] } = (body ?? {}) as { ids?: string[] }
  for (const id of ids) note(id, ANY)
  const tag = response.headers.get('ETag')
  const id =
    method === 'DELETE'
      ? Object.values(path).at(-1)
      : tag && (JSON.parse(new TextDecoder().decode(answer)) as { id?: unknown }).id
  if (typeof id === 'string') note(id, method === 'DELETE' ? null : tag)
}

function note(id: string, version: string | null): void {
  written.delete(id)
  written.set(id, { version, at: Date.now() })
  const [oldest] = written.keys()
  if (written.size > KEPT && oldest !== undefined) written.delete(oldest)
}

/** Whether a hint tells what this tab has written itself. */
export function isOwn({ id, version }: Change): boolean {
  const known = written.get(id)
  if (known?.version === version) return true
  // An entity tag comes back with an earlier state, which somebody else may restore.
  written.delete(id)
  return known?.version === ANY && Date.now() - known.at < ANY_MS
}
