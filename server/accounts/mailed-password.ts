import { recordAudit } from '../audit/record.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { tryConsume } from '../limits/rules.ts'
import { requireGoodPassword } from '../sign-in/password-policy.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { hashGroup } from '../platform/lib/network-address.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import type { Factors } from '../sign-in/second-factor-queries.ts'
import type { TokenPurpose } from '../tables.ts'
import { findTokenOwner, useToken } from '../sign-in/token-queries.ts'
import { validExpiries } from '../sign-in/tokens.ts'
import type { Origin } from '../users/access.ts'
import { lockUser } from '../users/queries.ts'
import { changeAccount, type ChangedBy } from './changes.ts'

interface Given {
  token: string
  password: string
  full_name?: string | null
}

interface Redemption {
  purpose: TokenPurpose
  action: Extract<ChangedBy['passwordAction'], 'password-reset' | 'invitation-accept'>
  /** The key of the input that holds the password. */
  field: 'password' | 'new_password'
}

/**
 * Consumes the token of a mailed link, sets the password and, if given, the name, and ends all sessions, in one
 * transaction. Removes the factors of an account whose address was not confirmed.
 * @returns what was removed
 * @throws DomainError `invalid` for any invalid token, without the reason; `weak-password`; `busy`
 */
export async function setPasswordByToken(
  context: Context,
  { ip }: Origin,
  given: Given,
  { purpose, action, field }: Redemption,
): Promise<Factors | undefined> {
  const { hashing, store } = context
  const { token, password, ...others } = given
  const digest = hashToken(token)
  const owner = await findTokenOwner(store.db, purpose, digest, validExpiries(context, purpose))
  if (owner) {
    requireGoodPassword(context, password, { ...owner, ...others }, field)
    const passwordHash = await hashing.hash(password, hashGroup(ip))
    const changed = await store.transaction(async (tx) => {
      const before = await lockUser(tx, owner.id)
      const used = before?.is_active && (await useToken(tx, purpose, digest, validExpiries(context, purpose)))
      if (!used) return undefined
      const by = { actorId: undefined, ip, passwordAction: action, ...used }
      const done = await changeAccount(context, tx, before, { ...others, password_hash: passwordHash }, by)
      // The mail proves the identity, so guesses from other networks must not lock out this one.
      await rememberNetwork(context, tx, before.id, ip)
      return done
    })
    if (changed) return changed.removed
  }
  await store.transaction(async (tx) => {
    // Made-up tokens cannot fill the audit log.
    if (!(await tryConsume(context, tx, 'invalidToken', { ip }))) return
    await recordAudit(context, tx, { action, result: 'invalid-token', ip })
  })
  throw new DomainError('invalid', 'Invalid token')
}
