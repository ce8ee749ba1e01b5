import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '../platform/database/unavailable.ts'

/** The last use of a session or API token is written at most once in this time. */
export const TOUCH_EVERY_MS = 60_000

/** How long a request waits for this write. */
const TOUCH_PATIENCE_MS = 100

const touching = new Set<string>()

/** Records a use. Ignores a database that cannot be written, so that reads work while the disk is full or locked. */
export async function recordUse(id: string, write: () => Promise<unknown>): Promise<void> {
  if (touching.has(id)) return
  touching.add(id)
  const touched = write()
    .finally(() => touching.delete(id))
    .catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
    })
  await Promise.race([touched, sleep(TOUCH_PATIENCE_MS, undefined, { ref: false })])
}
