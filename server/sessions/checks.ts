import type { Context, Services, TxContext } from '../platform/context.ts'
import { DomainError, sessionOver } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { type AccountActor, type Actor, type AnyActor, notForTokens } from '../users/access.ts'
import { findLiveApiToken, findLiveApiTokens, lockApiToken } from './api-token-queries.ts'
import { apiTokenBounds } from './api-tokens.ts'
import { findLiveSession, findLiveSessions, lockSession, type SessionBounds } from './queries.ts'

// Whether a session or an API token is still valid: docs/decisions/0002-opaque-access-tokens.md.

/** How long after an authentication a session is fresh. */
const FRESH_MS = 10 * 60_000

export function sessionBounds({ config, now }: Services): SessionBounds {
  const { maxMs, idleMs } = config.session
  return { created: startsOf(now(), maxMs), used: startsOf(now(), idleMs) }
}

/**
 * Locks the session or API token of an actor, if it has one, until the transaction ends. It must be valid and, if the
 * change needs that, fresh, and the role unchanged.
 * @throws DomainError `unauthenticated`, `not-fresh`
 */
export async function lockLiveSession(context: TxContext, actor: AnyActor): Promise<void> {
  const { tx } = context
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
export async function requireLiveSession(context: Context, { sessionId, token, user }: AccountActor): Promise<void> {
  const { db } = context.store
  const found = token
    ? await findLiveApiToken(db, { id: token.id }, apiTokenBounds(context))
    : await findLiveSession(db, { id: sessionId }, sessionBounds(context))
  if (found?.user.is_superuser !== user.is_superuser) throw sessionOver()
}

/** Those of the actors whose session or API token has ended, or whose account has another role. */
export async function findEnded<Of extends AccountActor>(context: Context, actors: readonly Of[]): Promise<Of[]> {
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
function requireFresh({ now }: Services, { authenticatedAt }: { authenticatedAt: number }): void {
  const { after, until } = startsOf(now(), FRESH_MS)
  if (authenticatedAt <= after || authenticatedAt > until) {
    throw new DomainError('not-fresh', 'Please confirm that it is you')
  }
}

/**
 * The actor of a change that needs a fresh session, which `change` checks again. The mark `x-fresh` of the contract
 * calls it; rules do where only they know. The operator needs none.
 * @throws DomainError `not-fresh`; `forbidden` for an API token
 */
export function requireRecentLogIn<A extends Actor>(context: Services, actor: A): A {
  if (!actor.user) return actor
  if (actor.token) throw notForTokens()
  requireFresh(context, actor)
  return { ...actor, mustBeFresh: true }
}
