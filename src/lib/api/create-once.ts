import { ifMatch, type Precondition, withTag } from './entity-tag'
import { isChanged, isGone, ToldError } from './errors'

/** The tries to create one thing. Plain data, because a draft keeps it. */
export interface Attempt {
  /** The idempotency key of all tries. */
  key: string
  /** The bodies of the tries before. */
  sent: object[]
}

interface Answer<Resource> {
  data: Resource
  response: Response
}

interface CreateOptions<Resource> {
  create: (headers: { 'Idempotency-Key': string }) => Promise<Answer<Resource>>
  update: (created: Resource, headers: Precondition) => Promise<Answer<Resource>>
}

export function newAttempt(): Attempt {
  // `randomUUID` exists on secure origins alone.
  return { key: crypto.getRandomValues(new Uint32Array(4)).join('-'), sent: [] }
}

/**
 * Creates one thing, also where the answer to an earlier try was lost (docs/decisions/0023-created-once.md). If the earlier try
 * arrived and the text has changed since, what it created is updated.
 * @throws ToldError where somebody else has changed it meanwhile; the next try creates another one
 */
export async function createOnce<Body extends object, Resource extends Body>(
  attempt: Attempt,
  body: Body,
  { create, update }: CreateOptions<Resource>,
): Promise<Resource> {
  const earlier = attempt.sent as Body[]
  attempt.sent = [...earlier, body]
  // A string by RFC 9651, as the header's draft has it.
  const send = async () => withTag(await create({ 'Idempotency-Key': `"${attempt.key}"` }))
  const created = await send()
  const isSame = (one: Body, other: Body) =>
    (Object.keys(body) as (keyof Body)[]).every((key) => one[key] === other[key])
  if (earlier.length === 0 || isSame(created, body)) return created
  if (earlier.some((tried) => isSame(created, tried))) {
    try {
      return withTag(await update(created, ifMatch(created)))
    } catch (error) {
      if (isGone(error)) return send()
      if (!isChanged(error)) throw error
    }
  } else if (earlier.some((tried) => isSame(tried, body))) return created
  Object.assign(attempt, newAttempt())
  throw new ToldError(
    'This was saved before, and somebody has changed it since. Save again to add what you typed as another one.',
  )
}
