import type { Creation } from './creation'
import { SaveConflict } from './errors'
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
 */
export async function createOnce<Body extends object, Resource extends Body>(
  { key, sent }: Creation<Body>,
  body: Body,
  { create, update }: CreateOptions<Resource>,
): Promise<Resource> {
  const isEarlier = (stored: Resource) => !says(stored, body) && sent.some((earlier) => says(stored, earlier))
  // A text by the rules of structured fields (RFC 9651), as the header's draft has it.
  const ask = () => create({ 'Idempotency-Key': `"${key}"` })
  sent.push(body)
  const { data: made } = await ask()
  if (!isEarlier(made)) return made
  try {
    return await saveOver({ read: ask, isAsSeen: isEarlier, write: (headers) => update(made, headers) })
  } catch (error) {
    // Changed or deleted in this very moment: that stays, or it is made anew.
    if (error instanceof SaveConflict) return (await ask()).data
    throw error
  }
}

function says<Body extends object>(stored: Body, body: Body): boolean {
  return (Object.keys(body) as (keyof Body)[]).every((key) => stored[key] === body[key])
}
