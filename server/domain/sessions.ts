import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
import { startsOf } from '../lib/clock.ts'
import type { Config } from '../lib/config.ts'
import { networkAddress } from '../lib/network-address.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findLiveSession,
  insertSession,
  listSessions,
  lockSession,
  type Session,
  type SessionBounds,
  touchSession,
} from '../store/sessions.ts'
import type { PageOf } from '../store/page.ts'
import type { Db, Store, Tx } from '../store/store.ts'
import { lockUser, touchUser } from '../store/users.ts'
import { isUnavailable } from '../store/unavailable.ts'
import type { Actor, Device } from './access.ts'
import type { Audit } from './audit.ts'
import { DomainError, sessionOver } from './errors.ts'
import { hashToken, newToken } from './tokens.ts'

/** How often the last use is written at most, so that most reads do not write. */
const TOUCH_EVERY_MS = 60_000

/** How long a request waits for that write. */
const TOUCH_PATIENCE_MS = 100

/** Browsers send about 120 characters. */
const MAX_USER_AGENT = 512

/** The number of sessions that are listed. */
const MAX_LISTED = 100

export type { Session } from '../store/sessions.ts'
export type Sessions = ReturnType<typeof createSessions>

/** Sessions: docs/decisions/0002-opaque-access-tokens.md. */
export function createSessions(options: { store: Store; audit: Audit; limits: Config['session']; now: () => number }) {
  const { store, audit, limits, now } = options

  function bounds(): SessionBounds {
    return { created: startsOf(now(), limits.maxMs), used: startsOf(now(), limits.idleMs) }
  }

  const touching = new Set<string>()

  /** Records a use. Ignores a database that cannot be written, so that reads work while the disk is full or locked. */
  async function touch(id: string, userId: string, device: Device): Promise<void> {
    if (touching.has(id)) return
    touching.add(id)
    const touched = Promise.all([
      touchSession(store.db, id, { ...columnsOf(device), last_used_at: now() }),
      touchUser(store.db, userId, now()),
    ])
      .catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
      })
      .finally(() => touching.delete(id))
    await Promise.race([touched, sleep(TOUCH_PATIENCE_MS, undefined, { ref: false })])
  }

  /**
   * Checks again that the session is valid and the role unchanged, as a body may come long after its headers. Locks the
   * session until the transaction ends; docs/decisions/0010-rows-as-locks.md has its place in the order of locks.
   * @throws DomainError `unauthenticated`
   */
  async function requireStill(tx: Tx, actor: Actor): Promise<void> {
    await lockSession(tx, actor.sessionId)
    await requireLive(actor, tx)
  }

  /** The check of `requireStill` between changes: nothing is locked. @throws DomainError `unauthenticated` */
  async function requireLive({ sessionId, user }: Actor, db: Db = store.db): Promise<void> {
    const session = await findLiveSession(db, { id: sessionId }, bounds())
    if (session?.user.is_superuser !== user.is_superuser) throw sessionOver()
  }

  /** Changes own sessions, one request at a time, so that two sessions cannot end each other. */
  async function changeOwn(actor: Actor, work: (tx: Tx) => Promise<void>): Promise<void> {
    await store.transaction(async (tx) => {
      await lockUser(tx, actor.user.id)
      await requireStill(tx, actor)
      await work(tx)
    })
  }

  return {
    bounds,

    /** @returns the access token, which is not stored */
    async begin(db: Db, userId: string, device: Device): Promise<string> {
      const token = newToken()
      await touchUser(db, userId, now())
      await insertSession(db, {
        id: uuid(),
        token_hash: hashToken(token),
        user_id: userId,
        created_at: now(),
        last_used_at: now(),
        ...columnsOf(device),
      })
      return token
    },

    /** @throws DomainError `unauthenticated` for any invalid token, without the reason */
    async resume(token: string, device: Device): Promise<Actor> {
      const session = await findLiveSession(store.db, { tokenHash: hashToken(token) }, bounds())
      if (!session) throw sessionOver()
      if (now() - session.lastUsedAt >= TOUCH_EVERY_MS) await touch(session.id, session.user.id, device)
      return { sessionId: session.id, user: session.user, ip: device.ip }
    },

    requireStill,
    requireLive: (actor: Actor): Promise<void> => requireLive(actor),

    /** Log-out. @throws DomainError `unauthenticated` when the session has already ended */
    async end({ sessionId, user, ip }: Actor): Promise<void> {
      await store.transaction(async (tx) => {
        if (!(await deleteSession(tx, sessionId, user.id))) throw sessionOver()
        await audit.record(tx, { action: 'log-out', actorId: user.id, ip })
      })
    },

    /** Ends the sessions of an account. @param except a session to keep @returns the number of ended sessions */
    endAll: (tx: Tx, userId: string, except?: string): Promise<number> => deleteSessionsOf(tx, userId, except),

    /** The valid sessions, last used first, at most 100. Their number is not limited, so the count may be higher. */
    list: (userId: string): Promise<PageOf<Session>> => listSessions(store.db, userId, bounds(), MAX_LISTED),

    /** Ends another session of the own account. @throws DomainError `not-found`; `conflict` for the current session */
    async endOwn(actor: Actor, id: string): Promise<void> {
      if (id === actor.sessionId) throw new DomainError('conflict', 'Use log-out to end this session')
      await changeOwn(actor, async (tx) => {
        if (!(await deleteSession(tx, id, actor.user.id))) throw new DomainError('not-found', 'Session not found')
        await audit.record(tx, { action: 'session-end', actorId: actor.user.id, ip: actor.ip })
      })
    },

    /** Ends all sessions of the own account except the current one. Audited only if there are any. */
    async endOthers(actor: Actor): Promise<void> {
      await changeOwn(actor, async (tx) => {
        const ended = await deleteSessionsOf(tx, actor.user.id, actor.sessionId)
        if (ended > 0) await audit.record(tx, { action: 'sessions-end', actorId: actor.user.id, ip: actor.ip })
      })
    },
  }
}

function columnsOf({ ip, userAgent }: Device) {
  return { user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: networkAddress(ip) }
}
