import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import type { Config } from '../lib/config.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findLiveSession,
  insertSession,
  listSessions,
  lockSession,
  type SessionBounds,
  touchSession,
} from '../store/sessions.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { touchUser } from '../store/users.ts'
import { isUnavailable } from '../store/unavailable.ts'
import type { Actor } from './access.ts'
import type { Audit } from './audit.ts'
import { sessionOver } from './errors.ts'
import { hashToken, newToken } from './tokens.ts'

/** "Last used" is written at most this often, so that reading stays reading. */
const TOUCH_EVERY_MS = 60_000

/** For so long a request waits until it is written; then it goes on without. */
const TOUCH_PATIENCE_MS = 100

export type Sessions = ReturnType<typeof createSessions>

/** Sessions end by idleness, by age, by log-out, and with the account or its password: docs/decisions/0002-opaque-access-tokens.md. */
export function createSessions(options: { store: Store; audit: Audit; limits: Config['session']; now: () => number }) {
  const { store, audit, limits, now } = options

  function bounds(): SessionBounds {
    return { createdAfter: now() - limits.maxMs, usedAfter: now() - limits.idleMs }
  }

  const touching = new Set<string>()

  /** Where nothing can be written (the disk is full, another process has the lock), what can be read still is. */
  async function touch(id: string, userId: string): Promise<void> {
    if (touching.has(id)) return
    touching.add(id)
    const touched = Promise.all([touchSession(store.db, id, now()), touchUser(store.db, userId, now())])
      .catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
      })
      .finally(() => touching.delete(id))
    await Promise.race([touched, sleep(TOUCH_PATIENCE_MS, undefined, { ref: false })])
  }

  return {
    bounds,

    /** @returns the access token, which nobody can be told again */
    async begin(db: Db, userId: string): Promise<string> {
      const token = newToken()
      await touchUser(db, userId, now())
      await insertSession(db, {
        id: uuid(),
        token_hash: hashToken(token),
        user_id: userId,
        created_at: now(),
        last_used_at: now(),
      })
      return token
    },

    /** @throws DomainError `unauthenticated` for any token that does not hold, without saying why */
    async resume(token: string, ip: string): Promise<Actor> {
      const session = await findLiveSession(store.db, { tokenHash: hashToken(token) }, bounds())
      if (!session) throw sessionOver()
      if (now() - session.lastUsedAt >= TOUCH_EVERY_MS) await touch(session.id, session.user.id)
      return { sessionId: session.id, user: session.user, ip }
    },

    /**
     * Looks again whether a session holds and its account has the role that the request began with: a body may come long
     * after its headers. Nobody ends the session before this transaction does. It comes last, as 0010 orders locks.
     * @throws DomainError `unauthenticated`
     */
    async requireStill(tx: Tx, { sessionId, user }: Actor): Promise<void> {
      await lockSession(tx, sessionId)
      const session = await findLiveSession(tx, { id: sessionId }, bounds())
      if (session?.user.is_superuser !== user.is_superuser) throw sessionOver()
    },

    /** Log-out. @throws DomainError `unauthenticated` when somebody else ended it first */
    async end({ sessionId, user, ip }: Actor): Promise<void> {
      await store.transaction(async (tx) => {
        if (!(await deleteSession(tx, sessionId))) throw sessionOver()
        await audit.record(tx, { action: 'log-out', actorId: user.id, ip })
      })
    },

    /** Ends the sessions of an account. @param except the one that goes on @returns how many there were */
    endAll: (tx: Tx, userId: string, except?: string): Promise<number> => deleteSessionsOf(tx, userId, except),

    /** Those that go on, newest first. */
    list: (userId: string) => listSessions(store.db, userId, bounds()),
  }
}
