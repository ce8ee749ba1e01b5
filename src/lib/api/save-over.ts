import { isChanged, isGone, SaveConflict } from './errors'

/** What a change is sent with, so that it is made to nothing but what was read. */
export type Condition = { 'If-Match'?: string }

interface SaveOptions<Resource> {
  /** What is stored now. */
  read: () => Promise<{ data: Resource; response: Response }>
  /** Whether that is what the person has seen. */
  isAsSeen: (stored: Resource) => boolean
  write: (headers: Condition) => Promise<{ data: Resource }>
}

const MAX_ATTEMPTS = 4

/**
 * Saves over what a person has seen, and over nothing else. What is stored is read first and compared with what was on the
 * screen; its entity tag then makes sure that it is still that when it is written over. Where the back end gives no tag, the
 * comparison is all there is.
 * @returns what is stored then
 * @throws SaveConflict when something else is stored by now, or nothing
 */
export async function saveOver<Resource>({ read, isAsSeen, write }: SaveOptions<Resource>): Promise<Resource> {
  let refused: string | null = null
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { data: stored, response } = await read()
      if (!isAsSeen(stored)) throw new SaveConflict(stored)
      const tag = strongTagOf(response)
      // Refused, and still the same: nothing was changed, but a proxy on the way rewrites tags.
      const isOfUse = tag !== null && tag !== refused
      refused = tag
      return (await write(isOfUse ? { 'If-Match': tag } : {})).data
    } catch (error) {
      if (isGone(error)) throw new SaveConflict(null)
      // What was changed is none of the form's business, or will be seen to be.
      if (!isChanged(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** A weak one, as a proxy that compresses makes it, never matches (RFC 9110, 8.8.3.2). */
function strongTagOf({ headers }: Response): string | null {
  const tag = headers.get('ETag')
  return tag?.startsWith('"') ? tag : null
}
