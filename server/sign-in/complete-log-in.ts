import type { Act } from '../sessions/change.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { beginSession } from '../sessions/rules.ts'
import type { AuthenticationMethod } from '../tables.ts'
import type { Device } from '../users/access.ts'
import type { User } from '../users/queries.ts'

/**
 * Begins the session at the end of every log-in. The account is active and locked, and its owner has passed all steps.
 * @param isFresh whether the person authenticated just now
 * @returns an access token
 */
export async function completeLogIn(
  act: Act,
  user: User,
  method: AuthenticationMethod,
  device: Device,
  isFresh = true,
): Promise<string> {
  const token = await beginSession(act, { userId: user.id, method, isFresh }, device)
  const details = method === 'password' ? undefined : { method }
  act.audit('log-in', { actorId: user.id, details })
  await rememberNetwork(act, user.id, device.ip)
  if (method === 'recovery-code') await act.notify('recovery-code-used', user.email)
  return token
}
