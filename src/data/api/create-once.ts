import { type ApiResponse, ifMatch, type Precondition } from './resource'
import { isChanged, isGone, UserError } from './errors'

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
