import { consumeReserved } from '../limits/reserved.ts'
import type { Context, TxContext } from '../platform/context.ts'
import { sessionOver } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { networkAddress } from '../platform/lib/network-address.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import type { Origin, TokenActor } from '../users/access.ts'
import { type ApiTokenBounds, deleteApiTokensOf, findLiveApiToken, touchApiToken } from './api-token-queries.ts'
import { isApiToken } from './api-token-text.ts'
import { recordUse, TOUCH_EVERY_MS } from './last-use.ts'

// Tokens by which programs act as an account: docs/decisions/0038-api-tokens.md. server/api-tokens/ has those of people.

/** How far ahead a token may expire. */
export const LONGEST_MS = 366 * 86_400_000
/** For clocks and requests that are not exact. */
export const TOLERANCE_MS = 60_000

export function apiTokenBounds({ now }: Pick<Context, 'now'>): ApiTokenBounds {
  return { created: startsOf(now(), LONGEST_MS + TOLERANCE_MS), now: now() }
}

/**
 * @throws DomainError `unauthenticated` for any invalid token, without the reason; `too-many` after 600 requests in a
 * minute
 */
export async function resumeApiToken(context: Context, text: string, { ip }: Origin): Promise<TokenActor> {
  const { store, now } = context
  if (!isApiToken(text)) throw sessionOver()
  const found = await findLiveApiToken(store.db, { tokenHash: hashToken(text) }, apiTokenBounds(context))
  if (!found) throw sessionOver()
  const { id, name, scope, user, lastUsedAt } = found
  await consumeReserved(context, 'tokenRequest', { token: id })
  if (lastUsedAt === null || now() - lastUsedAt >= TOUCH_EVERY_MS) {
    const use = { last_used_at: now(), address: networkAddress(ip) }
    await recordUse(id, () => touchApiToken(store.db, { id, userId: user.id }, use))
  }
  return { token: { id, name, scope }, user, ip }
}

/** Ends the API tokens of an account. @returns for the audit entry, if there were any that had not expired */
export async function endTokensOf(
  { now, tx }: TxContext,
  userId: string,
): Promise<{ removed_tokens: number } | undefined> {
  const number = (await deleteApiTokensOf(tx, [userId], now())).get(userId)
  return number === undefined ? undefined : { removed_tokens: number }
}
