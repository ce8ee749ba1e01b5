import { type Creation, startAnew } from './creation'
import { SaveConflict, ToldError } from './errors'
import { type Condition, saveOver } from './save-over'

interface CreateOptions<Resource> {
  create: (headers: { 'Idempotency-Key': string }) => Promise<{ data: Resource; response: Response }>
  /** Brings what an earlier try made to what is said now. */
  update: (made: Resource, headers: Condition) => Promise<{ data: Resource }>
}

/**
 * Creates one thing, also where the answer to an earlier try was lost (docs/decisions/0024-created-once.md). What that try
 * made is the answer then; if it says what that try said, it is brought to what this one says. What it has become through
 * somebody else since is left alone. A back end that knows no keys makes another.
 * @returns what is stored then
 * @throws ToldError where what is said now is stored nowhere; the next try creates another one with it
 */
export async function createOnce<Body extends object, Resource extends Body>(
  creation: Creation<Body>,
  body: Body,
  { create, update }: CreateOptions<Resource>,
): Promise<Resource> {
  const earlier = [...creation.sent]
  creation.sent.push(body)
  const isEarlier = (stored: Body) => !says(stored, body) && earlier.some((tried) => says(stored, tried))
  // A text by the rules of structured fields (RFC 9651), as the header's draft has it.
  const ask = () => create({ 'Idempotency-Key': `"${creation.key}"` })
  const made = await bringToNow(await ask())
  const isNew = earlier.length > 0 && !earlier.some((tried) => says(tried, body))
  if (!isNew || says(made, body)) return made
  startAnew(creation)
  throw new ToldError(
    'This was saved before, and somebody has changed it since. Save again to add what you typed as another one.',
  )

  async function bringToNow({ data: found }: { data: Resource }): Promise<Resource> {
    if (!isEarlier(found)) return found
    try {
      return await saveOver({ read: ask, isAsSeen: isEarlier, write: (headers) => update(found, headers) })
    } catch (error) {
      // Changed or deleted in this very moment: that stays, or it is made anew.
      if (error instanceof SaveConflict) return (await ask()).data
      throw error
    }
  }
}

function says<Body extends object>(stored: Body, body: Body): boolean {
  return (Object.keys(body) as (keyof Body)[]).every((key) => stored[key] === body[key])
}
