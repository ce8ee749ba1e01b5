import { ifMatch, type Precondition, withTag } from './entity-tag'
import { isChanged, isGone, SaveConflict } from './errors'

interface SaveOptions<Resource> {
  /** What is stored, as far as this browser knows. */
  stored: Resource
  /** Whether saving over this would undo a change that the person has not seen. */
  conflictsWith: (stored: Resource) => boolean
  write: (headers: Precondition) => Promise<{ data: Resource; response: Response }>
  /** Reads it again after a refusal. */
  read: () => Promise<Resource>
}

const MAX_ATTEMPTS = 4

/**
 * Saves changes under the entity tag that was read (docs/decisions/0016-no-lost-updates.md). After a 412 it reads again, and
 * saves again unless the changes conflict.
 * @returns what is stored then
 * @throws SaveConflict with what is stored instead, or `null` when it is deleted
 */
export async function saveChanges<Resource extends object>(options: SaveOptions<Resource>): Promise<Resource> {
  let { stored } = options
  let headers = ifMatch(stored)
  for (let attempt = 1; ; attempt += 1) {
    if (options.conflictsWith(stored)) throw new SaveConflict(stored)
    try {
      return withTag(await options.write(headers))
    } catch (error) {
      if (isGone(error)) throw new SaveConflict(null, { cause: error })
      if (!isChanged(error) || attempt === MAX_ATTEMPTS) throw error
    }
    try {
      stored = await options.read()
    } catch (error) {
      throw isGone(error) ? new SaveConflict(null, { cause: error }) : error
    }
    const next = ifMatch(stored)
    // The same tag was refused: a proxy on the way rewrites tags, and they are of no use.
    headers = next['If-Match'] === headers['If-Match'] ? {} : next
  }
}
