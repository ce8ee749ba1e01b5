import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import { type ApiToken, countApiTokens, deleteApiToken, insertApiToken, listApiTokens } from '../sessions/queries.ts'
import { newApiToken } from '../sessions/api-token-text.ts'
import { MAX_TOKEN_MS, TOLERANCE_MS } from '../sessions/checks.ts'
import type { SessionActor } from '../users/access.ts'

// docs/decisions/0038-api-tokens.md. server/sessions/rules.ts authenticates requests with a token.

const MAX_TOKENS = 20
const MIN_TOKEN_MS = 3_600_000
/** How long expired tokens are kept and listed. */
export const KEPT_MS = 30 * 86_400_000

type Wanted = Pick<ApiToken, 'name' | 'scope' | 'expires_at'>

/**
 * @returns the token with its secret, which is not stored
 * @throws DomainError `unprocessable`, `conflict`, `too-many`, `not-fresh`
 */
export async function createApiToken(context: Context, actor: SessionActor, { name, scope, expires_at }: Wanted) {
  const { now } = context
  const ahead = expires_at - now()
  if (ahead < MIN_TOKEN_MS - TOLERANCE_MS || ahead > MAX_TOKEN_MS + TOLERANCE_MS)
    throw new DomainError('unprocessable', 'Time should be 1 hour to 366 days ahead', { field: 'expires_at' })
  const { id: user } = actor.user
  const text = newApiToken()
  const token = { id: uuid(), name, scope, created_at: now(), expires_at, last_used_at: null, address: null }
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    if ((await countApiTokens(act.tx, user, now())) >= MAX_TOKENS)
      throw new DomainError('conflict', `At most ${MAX_TOKENS} tokens`)
    await insertApiToken(act.tx, { ...token, token_hash: hashToken(text), user_id: user })
    act.audit('token-create', { details: { name, scope } })
    await act.notify('token-created', act.actor.user.email)
    await consume(act, 'newToken', { user })
  })
  return { ...token, token: text }
}

/** Returns the newest tokens first, including tokens that expired in the last 30 days. */
export function listApiTokensOf({ store, now }: Context, userId: string): Promise<ApiToken[]> {
  return listApiTokens(store.db, userId, now() - KEPT_MS)
}

/** @throws DomainError `not-found` */
export async function endOwnApiToken(context: Context, actor: SessionActor, id: string): Promise<void> {
  await change(context, actor, { lock: 'own-account' }, (act) => endApiToken(act, actor.user.id, id))
}

/** Ends a token of an account that the transaction has locked. @throws DomainError `not-found` */
export async function endApiToken(act: Act, userId: string, id: string): Promise<void> {
  const ended = await deleteApiToken(act.tx, id, userId)
  if (!ended) throw new DomainError('not-found', 'Token not found')
  act.audit('token-delete', { subjectId: userId, details: ended })
}
