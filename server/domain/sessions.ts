import { v7 as uuid } from 'uuid'
import type { Config } from '../config.ts'
import { deleteSession, findLiveSession, insertSession, touchSession } from '../store/sessions.ts'
import type { Db, Store } from '../store/store.ts'
import type { Actor } from './access.ts'
import { Refusal } from './errors.ts'
import { hashToken, newToken } from './tokens.ts'

/** "Last used" is written at most this often, so that reading stays reading. */
const TOUCH_EVERY_MS = 60_000

export type Sessions = ReturnType<typeof createSessions>

/** Sessions end by idleness, by age, by log-out, and with the account or its password: docs/decisions/0002-opaque-access-tokens.md. */
export function createSessions(options: { store: Store; bounds: Config['session']; now: () => number }) {
  const { store, bounds, now } = options
  return {
    /** @returns the access token, which nobody can be told again */
    async begin(db: Db, userId: string): Promise<string> {
      const token = newToken()
      await insertSession(db, {
        id: uuid(),
        token_hash: hashToken(token),
        user_id: userId,
        created_at: now(),
        last_used_at: now(),
      })
      return token
    },

    /** @throws Refusal `unauthenticated` for any token that does not hold, without saying why */
    async resume(token: string): Promise<Actor> {
      const at = now()
      const session = await findLiveSession(store.db, hashToken(token), {
        createdAfter: at - bounds.maxMs,
        usedAfter: at - bounds.idleMs,
      })
      if (!session) throw new Refusal('unauthenticated', 'Could not validate credentials')
      if (at - session.lastUsedAt >= TOUCH_EVERY_MS) await touchSession(store.db, session.id, at)
      return { sessionId: session.id, user: session.user }
    },

    async end(sessionId: string): Promise<void> {
      await deleteSession(store.db, sessionId)
    },
  }
}
