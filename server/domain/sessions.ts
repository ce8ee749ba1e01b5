import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuid } from 'uuid'
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
import type { Db, Store, Tx } from '../store/store.ts'
import { lockUser, touchUser } from '../store/users.ts'
import { isUnavailable } from '../store/unavailable.ts'
import type { Actor, Device } from './access.ts'
import type { Audit } from './audit.ts'
import { DomainError, sessionOver } from './errors.ts'
import { hashToken, newToken } from './tokens.ts'

/** "Last used" is written at most this often, so that reading stays reading. */
const TOUCH_EVERY_MS = 60_000

/** For so long a request waits until it is written; then it goes on without. */
const TOUCH_PATIENCE_MS = 100

/** A browser calls itself in some 120 characters. */
const MAX_USER_AGENT = 512

export type { Session } from '../store/sessions.ts'
export type Sessions = ReturnType<typeof createSessions>

/** Sessions end by idleness, by age, by log-out, and with the account or its password: docs/decisions/0002-opaque-access-tokens.md. */
export function createSessions(options: { store: Store; audit: Audit; limits: Config['session']; now: () => number }) {
  const { store, audit, limits, now } = options

  function bounds(): SessionBounds {
    return { createdAfter: now() - limits.maxMs, usedAfter: now() - limits.idleMs }
  }

  const touching = new Set<string>()

  /** Where nothing can be written (the disk is full, another process has the lock), what can be read still is. */
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
   * Looks again whether a session holds and its account has the role that the request began with: a body may come long
   * after its headers. Nobody ends the session before this transaction does. It comes last, as 0010 orders locks.
   * @throws DomainError `unauthenticated`
   */
  async function requireStill(tx: Tx, { sessionId, user }: Actor): Promise<void> {
    await lockSession(tx, sessionId)
    const session = await findLiveSession(tx, { id: sessionId }, bounds())
    if (session?.user.is_superuser !== user.is_superuser) throw sessionOver()
  }

  /** Sessions that end each other take turns. */
  async function changeOwn(actor: Actor, work: (tx: Tx) => Promise<void>): Promise<void> {
    await store.transaction(async (tx) => {
      await lockUser(tx, actor.user.id)
      await requireStill(tx, actor)
      await work(tx)
    })
  }

  return {
    bounds,

    /** @returns the access token, which nobody can be told again */
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

    /** @throws DomainError `unauthenticated` for any token that does not hold, without saying why */
    async resume(token: string, device: Device): Promise<Actor> {
      const session = await findLiveSession(store.db, { tokenHash: hashToken(token) }, bounds())
      if (!session) throw sessionOver()
      if (now() - session.lastUsedAt >= TOUCH_EVERY_MS) await touch(session.id, session.user.id, device)
      return { sessionId: session.id, user: session.user, ip: device.ip }
    },

    requireStill,

    /** Log-out. @throws DomainError `unauthenticated` when somebody else ended it first */
    async end({ sessionId, user, ip }: Actor): Promise<void> {
      await store.transaction(async (tx) => {
        if (!(await deleteSession(tx, sessionId, user.id))) throw sessionOver()
        await audit.record(tx, { action: 'log-out', actorId: user.id, ip })
      })
    },

    /** Ends the sessions of an account. @param except the one that goes on @returns how many there were */
    endAll: (tx: Tx, userId: string, except?: string): Promise<number> => deleteSessionsOf(tx, userId, except),

    /** Those that go on, last used first. */
    list: (userId: string): Promise<Session[]> => listSessions(store.db, userId, bounds()),

    /** Ends another session of the own account. @throws DomainError `not-found`; `conflict` for the one that asks */
    async endOwn(actor: Actor, id: string): Promise<void> {
      if (id === actor.sessionId) throw new DomainError('conflict', 'Use log-out to end this session')
      await changeOwn(actor, async (tx) => {
        if (!(await deleteSession(tx, id, actor.user.id))) throw new DomainError('not-found', 'Session not found')
        await audit.record(tx, { action: 'session-end', actorId: actor.user.id, ip: actor.ip })
      })
    },

    /** Ends the sessions of the own account, but for the one that asks. Where there is none, nothing is recorded. */
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
