import type { Context, Services, TxContext } from '../platform/context.ts'
import { DomainError, sessionEnded } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { type AccountActor, type Actor, type AnyActor, notForTokens } from '../users/access.ts'
import { type Credential, findRoles, lockCredential, type Validity } from './queries.ts'

// docs/decisions/0038-api-tokens.md

const FRESH_MS = 10 * 60_000
export const MAX_TOKEN_MS = 366 * 86_400_000
/** Clocks differ, and requests take time. */
export const TOLERANCE_MS = 60_000

export function validityAt({ config, now }: Pick<Services, 'config' | 'now'>): Validity {
  const { maxMs, idleMs } = config.session
  return {
    sessions: { created: startsOf(now(), maxMs), used: startsOf(now(), idleMs) },
    api_tokens: { created: startsOf(now(), MAX_TOKEN_MS + TOLERANCE_MS), now: now() },
  }
}

function credentialOf({ sessionId, token }: AccountActor): Credential {
  return token ? { kind: 'api_tokens', id: token.id } : { kind: 'sessions', id: sessionId }
}

/**
 * Locks the session or API token of an actor until the transaction ends. It must be valid, its account must have the
 * same role and, if the change needs it, the log-in must be recent.
 * @throws DomainError `unauthenticated`, `not-fresh`
 */
export async function lockLiveSession(context: TxContext, actor: AnyActor): Promise<void> {
  if (!actor.user) return
  const { is_superuser: isSuperuser } = actor.user
  const authenticatedAt = await lockCredential(context.tx, credentialOf(actor), isSuperuser, validityAt(context))
  if (authenticatedAt === undefined) throw sessionEnded()
  if (actor.sessionId && actor.mustBeFresh) requireFresh(context, authenticatedAt ?? 0)
}

/** Checks the session or API token between long reads, without a lock. @throws DomainError `unauthenticated` */
export async function requireLiveSession(context: Context, actor: AccountActor): Promise<void> {
  if ((await findEnded(context, [actor])).length > 0) throw sessionEnded()
}

/** The actors whose session or API token has ended, or whose account has another role. */
export async function findEnded<Of extends AccountActor>(context: Context, actors: readonly Of[]): Promise<Of[]> {
  const { db } = context.store
  const validity = validityAt(context)
  const idsOf = (kind: Credential['kind']) =>
    actors.map(credentialOf).flatMap((credential) => (credential.kind === kind ? [credential.id] : []))
  const roles = new Map([
    ...(await findRoles(db, 'sessions', idsOf('sessions'), validity)),
    ...(await findRoles(db, 'api_tokens', idsOf('api_tokens'), validity)),
  ])
  return actors.filter((actor) => roles.get(credentialOf(actor).id) !== actor.user.is_superuser)
}

/** @throws DomainError `not-fresh` */
function requireFresh({ now }: Services, authenticatedAt: number): void {
  const { after, until } = startsOf(now(), FRESH_MS)
  if (authenticatedAt <= after || authenticatedAt > until)
    throw new DomainError('not-fresh', 'Please confirm that it is you')
}

/**
 * Requires a session with a recent log-in, which `change` checks again. It runs for operations with the mark `x-fresh`
 * in the contract, and in rules that need it only in some cases. The operator needs no session.
 * @throws DomainError `not-fresh`; `forbidden` for an API token
 */
export function requireRecentLogIn<A extends Actor>(context: Services, actor: A): A {
  if (!actor.user) return actor
  if (actor.token) throw notForTokens()
  requireFresh(context, actor.authenticatedAt)
  return { ...actor, mustBeFresh: true }
}
