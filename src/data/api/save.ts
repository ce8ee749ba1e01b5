import type { ApiResponse } from './resource'
import { isChanged, isGone, SaveConflict, UserError } from './errors'

/** `undefined` if the back end has no versions. */
export const versionOf = (row: object): string | undefined => (row as { version?: string }).version

export type Precondition = { 'If-Match'?: string }

function ifMatch(row: object): Precondition {
  const version = versionOf(row)
  return version === undefined ? {} : { 'If-Match': `"${version}"` }
}

/** What a form has sent to create one row. It is plain data, because drafts store it. */
export interface CreateAttempts {
  key: string
  sent: object[]
}

interface CreateOptions<Resource> {
  create: (headers: { 'Idempotency-Key': string }) => Promise<ApiResponse<Resource>>
  update: (created: Resource, headers: Precondition) => Promise<ApiResponse<Resource>>
}

export function newAttempt(): CreateAttempts {
  // `randomUUID` exists only on secure origins.
  return { key: crypto.getRandomValues(new Uint32Array(4)).join('-'), sent: [] }
}

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'id' in value ? value.id : value

/** Safe to repeat after a lost response (docs/decisions/0023-created-once.md). @throws UserError after a conflict */
export async function createOnce<Body extends object, Resource extends Body>(
  attempt: CreateAttempts,
  body: Body,
  { create, update }: CreateOptions<Resource>,
): Promise<Resource> {
  const earlier = attempt.sent as Body[]
  attempt.sent = [...earlier, body]
  // The header's draft standard requires a quoted string (RFC 9651).
  const send = async () => (await create({ 'Idempotency-Key': `"${attempt.key}"` })).data
  const created = await send()
  const isSame = (one: Body, other: Body) =>
    (Object.keys(body) as (keyof Body)[]).every((key) => plain(one[key]) === plain(other[key]))
  if (earlier.length === 0 || isSame(created, body)) return created
  if (earlier.some((tried) => isSame(created, tried))) {
    try {
      return (await update(created, ifMatch(created))).data
    } catch (error) {
      if (isGone(error)) return send()
      if (!isChanged(error)) throw error
    }
  } else if (earlier.some((tried) => isSame(tried, body))) return created
  Object.assign(attempt, newAttempt())
  throw new UserError(
    'This was saved before, and someone has changed it since. Save again to add what you typed as another one.',
  )
}

interface SaveOptions<Resource> {
  first: () => Promise<Resource>
  /** Whether saving would overwrite a change that the user has not seen. */
  conflictsWith: (server: Resource) => boolean
  write: (headers: Precondition, server: Resource) => Promise<ApiResponse<Resource>>
  read: () => Promise<Resource>
}

const MAX_ATTEMPTS = 4

/** Retries after a 412 unless the changes conflict (docs/decisions/0016-no-lost-updates.md). @throws SaveConflict */
export async function saveChanges<Resource extends object>(options: SaveOptions<Resource>): Promise<Resource> {
  let server = await unlessGone(options.first())
  let headers = ifMatch(server)
  for (let attempt = 1; ; attempt += 1) {
    if (options.conflictsWith(server)) throw new SaveConflict(server)
    try {
      return (await options.write(headers, server)).data
    } catch (error) {
      if (isGone(error)) throw new SaveConflict(null, { cause: error })
      if (!isChanged(error) || attempt === MAX_ATTEMPTS) throw error
    }
    server = await unlessGone(options.read())
    const next = ifMatch(server)
    // A refused version is not sent again. During an upgrade, two releases may compute different versions of a row.
    headers = next['If-Match'] === headers['If-Match'] ? {} : next
  }
}

async function unlessGone<Resource>(reading: Promise<Resource>): Promise<Resource> {
  try {
    return await reading
  } catch (error) {
    throw isGone(error) ? new SaveConflict(null, { cause: error }) : error
  }
}
