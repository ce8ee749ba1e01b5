import { recordAudit } from '../audit/record.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { beginSession } from '../sessions/rules.ts'
import type { AuthenticationMethod } from '../tables.ts'
import type { Device } from '../users/access.ts'
import type { User } from '../users/queries.ts'
import { notify } from './notices.ts'

/**
 * The end of every log-in. The account is active and locked, and its owner has shown all that is asked for.
 * @param isFresh whether the person authenticated just now
 * @returns an access token
 */
export async function completeLogIn(
  context: Context,
  tx: Tx,
  user: User,
  method: AuthenticationMethod,
  device: Device,
  { isFresh = true }: { isFresh?: boolean } = {},
): Promise<string> {
  const { ip } = device
  const token = await beginSession(context, tx, { userId: user.id, method, isFresh }, device)
  const details = method === 'password' ? undefined : { method }
  await recordAudit(context, tx, { action: 'log-in', actorId: user.id, ip, details })
  await rememberNetwork(context, tx, user.id, ip)
  if (method === 'recovery-code') await notify(context, tx, 'recovery-code-used', user.email, ip)
  return token
}
