import type { Context } from '../platform/context.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { change } from '../sessions/change.ts'
import type { AnyActor } from '../users/access.ts'
import { findCredentials, replacePasswordHash } from '../users/queries.ts'

/**
 * Renews the outdated hash of a right password. Another log-in at the same time may have renewed the hash already.
 * @param given.before the outdated hash
 * @returns the hash that the account has now; `undefined` if the password is not right any more
 * @throws DomainError `busy`
 */
export async function renewHash(
  context: Context,
  actor: AnyActor,
  { id, password, before }: { id: string; password: string; before: string },
): Promise<string | undefined> {
  const { hashing, store } = context
  const group = hashGroup(actor.ip)
  const after = await hashing.hash(password, group)
  if (await change(context, actor, {}, ({ tx }) => replacePasswordHash(tx, id, { before, after }))) return after
  const { passwordHash } = (await findCredentials(store.db, { id })) ?? {}
  return (await hashing.check(password, passwordHash, group)) === 'wrong' ? undefined : passwordHash
}
