import { v7 as uuid } from 'uuid'
import { consumeReserved } from '../limits/reserved.ts'
import type { Context, TxContext } from '../platform/context.ts'
import type { PageOf } from '../platform/database/lists.ts'
import { DomainError, sessionEnded } from '../platform/errors.ts'
import { networkAddress } from '../platform/lib/network-address.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import type { AuthenticationMethod } from '../tables.ts'
import type { AccountActor, Device, Origin, SessionActor, TokenActor } from '../users/access.ts'
import { countActiveUser, touchUser } from '../users/queries.ts'
import { isApiToken, looksLikeApiToken } from './api-token-text.ts'
import { type Act, change } from './change.ts'
import { validityAt } from './checks.ts'
import { recordUse, TOUCH_EVERY_MS } from './last-use.ts'
import {
  deleteApiTokensOf,
  deleteSession,
  deleteSessionsOf,
  findApiToken,
  findSession,
  insertSession,
  listSessions,
  type Session,
  touchApiToken,
  touchSession,
  updateAuthentication,
} from './queries.ts'

// docs/decisions/0038-api-tokens.md. How people make API tokens is in server/api-tokens/.

/** Browsers send about 120 characters. */
const MAX_USER_AGENT = 512

const MAX_LISTED = 100

/** All log-ins call this by `server/sign-in/complete-log-in.ts`. @returns the access token, which is not stored */
export async function beginSession(
  { now, tx, atEnd }: Act,
  { userId, method, isFresh = true }: { userId: string; method: AuthenticationMethod; isFresh?: boolean },
  device: Device,
): Promise<string> {
  const token = newToken()
  if (await touchUser(tx, userId, now())) atEnd(() => countActiveUser(tx, now()))
  await insertSession(tx, {
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

/**
 * Finds the account of a session or API token.
 * @throws DomainError `unauthenticated` for an invalid one; `too-many` after 600 requests of an API token in a minute
 */
export function resume(context: Context, text: string, device: Device): Promise<AccountActor> {
  return looksLikeApiToken(text) ? resumeApiToken(context, text, device) : resumeSession(context, text, device)
}

async function resumeSession(context: Context, text: string, device: Device): Promise<SessionActor> {
  const { store, now } = context
  const found = await findSession(store.db, hashToken(text), validityAt(context))
  if (!found) throw sessionEnded()
  const { id, user, authenticatedAt } = found
  if (now() - found.lastUsedAt >= TOUCH_EVERY_MS) {
    const use = { ...columnsOf(device), last_used_at: now() }
    await recordUse(id, () => Promise.all([touchSession(store.db, id, use), recordActivity(context, user.id)]))
  }
  return { sessionId: id, authenticatedAt, user, ip: device.ip }
}

async function resumeApiToken(context: Context, text: string, { ip }: Origin): Promise<TokenActor> {
  const { store, now } = context
  const found = isApiToken(text) ? await findApiToken(store.db, hashToken(text), validityAt(context)) : undefined
  if (!found) throw sessionEnded()
  const { id, name, scope, user, lastUsedAt } = found
  await consumeReserved(context, 'tokenRequest', { token: id })
  if (lastUsedAt === null || now() - lastUsedAt >= TOUCH_EVERY_MS) {
    const use = { last_used_at: now(), address: networkAddress(ip) }
    await recordUse(id, () => touchApiToken(store.db, { id, userId: user.id }, use))
  }
  return { token: { id, name, scope }, user, ip }
}

/** Runs outside of a transaction, because a request that only reads need not wait for these writes. */
async function recordActivity({ store, now }: Context, userId: string): Promise<void> {
  if (await touchUser(store.db, userId, now())) await countActiveUser(store.db, now())
}

/** Records that the person authenticated again. The transaction has locked the session. */
export async function renewSession({ now, tx, actor }: Act<SessionActor>, method: AuthenticationMethod): Promise<void> {
  await updateAuthentication(tx, actor.sessionId, now(), method)
}

/** Logs out. @throws DomainError `unauthenticated` when the session has already ended */
export async function endSession(context: Context, actor: SessionActor): Promise<void> {
  await change(context, actor, {}, async (act) => {
    if (!(await deleteSession(act.tx, actor.sessionId, actor.user.id))) throw sessionEnded()
    act.audit('log-out')
  })
}

/** The valid sessions, last used first. Lists at most 100; the count may be higher. */
export async function listSessionsOf(context: Context, userId: string): Promise<PageOf<Session>> {
  return listSessions(context.store.db, userId, validityAt(context), MAX_LISTED)
}

/** Ends another session of the own account. @throws DomainError `not-found`; `conflict` for the current session */
export async function endOwnSession(context: Context, actor: SessionActor, id: string): Promise<void> {
  if (id === actor.sessionId) throw new DomainError('conflict', 'Use log-out to end this session')
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    if (!(await deleteSession(act.tx, id, actor.user.id))) throw new DomainError('not-found', 'Session not found')
    act.audit('session-end')
  })
}

/**
 * Ends all other sessions of the own account. Audits it only if something ends.
 * @param endTokens whether to end the API tokens, too
 */
export async function endOtherSessions(context: Context, actor: SessionActor, endTokens = false): Promise<void> {
  const { id } = actor.user
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    const ended = await deleteSessionsOf(act.tx, [id], actor.sessionId)
    const tokens = endTokens ? await endTokensOf(act, id) : undefined
    if (ended === 0 && !tokens) return
    act.audit('sessions-end', { details: tokens })
  })
}

/** Ends API tokens. @returns details for the audit entry, if any token had not expired */
export async function endTokensOf({ now, tx }: TxContext, userId: string) {
  const number = (await deleteApiTokensOf(tx, [userId], now())).get(userId)
  return number === undefined ? undefined : { removed_tokens: number }
}

function columnsOf({ ip, userAgent }: Device) {
  return { user_agent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, address: networkAddress(ip) }
}
