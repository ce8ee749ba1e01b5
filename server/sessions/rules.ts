import { v7 as uuid } from 'uuid'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { PageOf } from '../platform/database/lists.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { DomainError, sessionOver } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { networkAddress } from '../platform/lib/network-address.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import type { AuthenticationMethod } from '../tables.ts'
import { type AccountActor, type Actor, type Device, notForTokens, type SessionActor } from '../users/access.ts'
import { lockUser, touchUser, type User } from '../users/queries.ts'
import { findLiveApiToken, findLiveApiTokens, lockApiToken } from './api-token-queries.ts'
import { apiTokenBounds, endTokensOf } from './api-tokens.ts'
import { recordUse, TOUCH_EVERY_MS } from './last-use.ts'
import {
  deleteSession,
  deleteSessionsOf,
  findLiveSession,
  findLiveSessions,
  insertSession,
  listSessions,
  lockSession,
  type Session,
  type SessionBounds,
  touchSession,
  updateAuthentication,
} from './queries.ts'

// docs/decisions/0002-opaque-access-tokens.md

/** How long after an authentication a session is fresh. */
const FRESH_MS = 10 * 60_000

/** Browsers send about 120 characters. */
const MAX_USER_AGENT = 512

/** The number of sessions that are listed. */
const MAX_LISTED = 100

export function sessionBounds({ config, now }: Context): SessionBounds {
  const { maxMs, idleMs } = config.session
  return { created: startsOf(now(), maxMs), used: startsOf(now(), idleMs) }
}

/** That somebody showed to be the owner of an account, and how. */
interface Authentication {
  userId: string
  method: AuthenticationMethod
  /** Whether it was just now; by default it was. */
  isFresh?: boolean
}

/** The only way to a session; log-ins end in `server/sign-in/complete-log-in.ts`. @returns the access token, which is not stored */
export async function beginSession(
  { now }: Context,
  db: Db,
  { userId, method, isFresh = true }: Authentication,
  device: Device,
): Promise<string> {
  const token = newToken()
  await touchUser(db, userId, now())
  await insertSession(db, {
    id: uuid(),
    token_hash: hashToken(token),
    user_id: userId,
    created_at: now(),
    last_used_at: now(),
    authenticated_at: isFresh ? now() : 0,
    authenticated_by: method,
    ...columnsOf(device),
  })
  return token
}

/** @throws DomainError `unauthenticated` for any invalid token, without the reason */
export async function resumeSession(context: Context, token: string, device: Device): Promise<SessionActor> {
  const { store, now } = context
  const session = await findLiveSession(store.db, { tokenHash: hashToken(token) }, sessionBounds(context))
  if (!session) throw sessionOver()
  const { id, user } = session
  if (now() - session.lastUsedAt >= TOUCH_EVERY_MS) {
    const use = { ...columnsOf(device), last_used_at: now() }
    await recordUse(id, () => Promise.all([touchSession(store.db, id, use), touchUser(store.db, user.id, now())]))
  }
  return { sessionId: id, authenticatedAt: session.authenticatedAt, user, ip: device.ip }
}

/**
 * Checks in the transaction of a change that the session or API token, if it is one, is valid and, if it must be, fresh,
 * and the role unchanged, as a body may come long after its headers. Locks it until the transaction ends;
 * docs/decisions/0010-rows-as-locks.md has its place in the order of locks.
 * @throws DomainError `unauthenticated`, `not-fresh`
 */
export async function requireStill(context: Context, tx: Tx, actor: Actor): Promise<void> {
  if (!actor.user) return
  if (actor.token) {
    const { token, user } = actor
    const isStill = await lockApiToken(tx, { ...token, isSuperuser: user.is_superuser }, apiTokenBounds(context))
    if (!isStill) throw sessionOver()
    return
  }
  const { sessionId, user, mustBeFresh } = actor
  const authenticatedAt = await lockSession(tx, sessionId, user.is_superuser, sessionBounds(context))
  if (authenticatedAt === undefined) throw sessionOver()
  if (mustBeFresh) requireFresh(context, { authenticatedAt })
}

/** The check between long reads, which locks nothing. @throws DomainError `unauthenticated` */
export async function requireLive(context: Context, { sessionId, token, user }: AccountActor): Promise<void> {
  const { db } = context.store
  const found = token
    ? await findLiveApiToken(db, { id: token.id }, apiTokenBounds(context))
    : await findLiveSession(db, { id: sessionId }, sessionBounds(context))
  if (found?.user.is_superuser !== user.is_superuser) throw sessionOver()
}

/** Those of the actors whose session or API token has ended, or whose account has another role. */
export async function findOver<Of extends AccountActor>(context: Context, actors: readonly Of[]): Promise<Of[]> {
  const { db } = context.store
  const [tokens, sessions] = [
    actors.flatMap(({ token }) => token?.id ?? []),
    actors.flatMap(({ sessionId }) => sessionId ?? []),
  ]
  const live = new Map([
    ...(tokens.length > 0 ? await findLiveApiTokens(db, tokens, apiTokenBounds(context)) : []),
    ...(sessions.length > 0 ? await findLiveSessions(db, sessions, sessionBounds(context)) : []),
  ])
  return actors.filter(({ token, sessionId, user }) => live.get(token?.id ?? sessionId ?? '') !== user.is_superuser)
}

/** @throws DomainError `not-fresh` unless the person authenticated recently */
function requireFresh({ now }: Context, { authenticatedAt }: { authenticatedAt: number }): void {
  const { after, until } = startsOf(now(), FRESH_MS)
  if (authenticatedAt <= after || authenticatedAt > until) {
    throw new DomainError('not-fresh', 'Please confirm that it is you')
  }
}

/**
 * The actor of a change that needs a fresh session, which `requireStill` checks again. The mark `x-fresh` of the contract
 * calls it; rules do where only they know. The operator needs none.
 * @throws DomainError `not-fresh`; `forbidden` for an API token
 */
export function freshly<A extends Actor>(context: Context, actor: A): A {
  if (!actor.user) return actor
  if (actor.token) throw notForTokens()
  requireFresh(context, actor)
  return { ...actor, mustBeFresh: true }
}

/** Records that the person of a session, which the transaction has locked, authenticated again. */
export async function renewSession(
  { now }: Context,
  tx: Tx,
  sessionId: string,
  method: AuthenticationMethod,
): Promise<void> {
  await updateAuthentication(tx, sessionId, { authenticated_at: now(), authenticated_by: method })
}

/** Log-out. @throws DomainError `unauthenticated` when the session has already ended */
export async function endSession(context: Context, { sessionId, user, ip }: SessionActor): Promise<void> {
  await context.store.transaction(async (tx) => {
    if (!(await deleteSession(tx, sessionId, user.id))) throw sessionOver()
    await recordAudit(context, tx, { action: 'log-out', actorId: user.id, ip })
  })
}

/** The valid sessions, last used first, at most 100. Their number is not limited, so the count may be higher. */
export async function listSessionsOf(context: Context, userId: string): Promise<PageOf<Session>> {
  return listSessions(context.store.db, userId, sessionBounds(context), MAX_LISTED)
}

/** Ends another session of the own account. @throws DomainError `not-found`; `conflict` for the current session */
export async function endOwnSession(context: Context, actor: SessionActor, id: string): Promise<void> {
  if (id === actor.sessionId) throw new DomainError('conflict', 'Use log-out to end this session')
  await changeOwn(context, actor, async (tx) => {
    if (!(await deleteSession(tx, id, actor.user.id))) throw new DomainError('not-found', 'Session not found')
    await recordAudit(context, tx, { action: 'session-end', actorId: actor.user.id, ip: actor.ip })
  })
}

/**
 * Ends all sessions of the own account except the current one. Audited only if something ends.
 * @param endTokens whether to end the API tokens, too
 */
export async function endOtherSessions(context: Context, actor: SessionActor, endTokens = false): Promise<void> {
  const { id } = actor.user
  await changeOwn(context, actor, async (tx) => {
    const ended = await deleteSessionsOf(tx, id, actor.sessionId)
    const tokens = endTokens ? await endTokensOf(context, tx, id) : undefined
    if (ended === 0 && !tokens) return
    await recordAudit(context, tx, { action: 'sessions-end', actorId: id, ip: actor.ip, details: tokens })
  })
}

/**
 * Runs a change of the own account, one at a time: two sessions cannot end each other.
 * @param expected the password that the person just entered
 * @throws DomainError `unauthenticated` if the session has ended; `not-fresh`; `invalid` if the password was changed
 */
export async function changeOwn<T>(
  context: Context,
  actor: SessionActor,
  work: (tx: Tx, user: User) => Promise<T>,
  expected: { passwordHash?: string } = {},
): Promise<T> {
  return context.store.transaction(async (tx) => {
    const user = await lockUser(tx, actor.user.id, expected)
    if (!user && expected.passwordHash !== undefined) throw new DomainError('invalid', 'Incorrect password')
    await requireStill(context, tx, actor)
    if (!user) throw sessionOver()
    return work(tx, user)
  })
}

function columnsOf({ ip, userAgent }: Device) {
  return { user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: networkAddress(ip) }
}
