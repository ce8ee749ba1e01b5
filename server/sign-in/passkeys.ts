import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import { consume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import type { Device, Origin, SessionActor } from '../users/access.ts'
import { lockUser, type User } from '../users/queries.ts'
import { type Challenge, issueChallenge, redeemChallenge } from './challenges.ts'
import { completeLogIn } from './complete-log-in.ts'
import { requireWayIn } from './identities.ts'
import {
  deletePasskey,
  ensureHandle,
  findCredential,
  insertPasskey,
  listDescriptors,
  listPasskeys,
  type Passkey,
  renamePasskey,
  type StoredCredential,
  recordPasskeyUse,
} from './passkey-queries.ts'
import { requirePasskeys } from './relying-party.ts'
import { requireFactorLeft } from './second-factor.ts'
import {
  type Authentication,
  creationOptions,
  type Expected,
  type Registration,
  requestOptions,
  verifyAuthentication,
  verifyRegistration,
} from './webauthn.ts'

// docs/decisions/0028-passkeys.md

const MAX_PASSKEYS = 20

type Use = Challenge<'passkey'>['payload']['use']

const notFound = () => new DomainError('not-found', 'Passkey not found')
const unverified = () => new DomainError('invalid', 'This passkey could not be verified')

/** @throws DomainError `too-many` */
export async function logInOptions(context: Context, ip: string) {
  const options = await requestOptions(requirePasskeys(context), [])
  return change(context, { ip }, {}, async (act) => {
    await consume(act, 'passkeyLogIn', { ip })
    return begin(act, 'log-in', null, options)
  })
}

export async function reauthenticationOptions(context: Context, actor: SessionActor) {
  const party = requirePasskeys(context)
  const { id } = actor.user
  return change(context, actor, { lock: 'own-account' }, async (act) =>
    begin(act, 'reauthentication', id, await requestOptions(party, await listDescriptors(act.tx, id))),
  )
}

export async function registrationOptions(context: Context, actor: SessionActor) {
  const party = requirePasskeys(context)
  const { user } = actor
  return change(context, actor, { lock: 'own-account' }, async (act) => {
    const handle = await ensureHandle(act.tx, user.id, randomBytes(32).toString('base64url'))
    const options = await creationOptions(party, user, handle, await listDescriptors(act.tx, user.id))
    return begin(act, 'registration', user.id, options)
  })
}

async function begin<Options extends { challenge: string }>(
  act: Act,
  use: Use,
  userId: string | null,
  options: Options,
) {
  const ceremony = await issueChallenge(act, 'passkey', userId, { use, challenge: options.challenge })
  return { ceremony, options }
}

/** Ends a ceremony. Any attempt uses up its challenge. @throws DomainError `invalid` */
async function end(context: Context, ceremony: string, use: Use, userId: string | null): Promise<string> {
  const ended = await redeemChallenge(context, ['passkey'], ceremony)
  if (ended?.payload.use !== use || ended.userId !== userId) throw unverified()
  return ended.payload.challenge
}

/** @throws DomainError `invalid`; `conflict` */
export async function registerPasskey(
  context: Context,
  actor: SessionActor,
  ceremony: string,
  credential: Registration,
  name: string,
): Promise<Passkey> {
  const party = requirePasskeys(context)
  const { user } = actor
  const challenge = await end(context, ceremony, 'registration', user.id)
  const verified = await verifyRegistration(credential, { party, challenge }).catch(() => undefined)
  if (!verified) throw unverified()
  const passkey = { id: uuid(), name, created_at: context.now(), last_used_at: null }
  const transports = JSON.stringify(credential.response.transports ?? [])
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    if ((await listPasskeys(act.tx, user.id)).length >= MAX_PASSKEYS) {
      throw new DomainError('conflict', `At most ${MAX_PASSKEYS} passkeys`)
    }
    await insertPasskey(act.tx, { ...passkey, ...verified, user_id: user.id, transports }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new DomainError('conflict', 'This passkey is already registered') : error
    })
    act.audit('passkey-create')
    await act.notify('passkey-added', user.email)
  })
  return { ...passkey, is_synced: verified.is_synced === 1 }
}

export async function listOwn(context: Context, actor: SessionActor): Promise<Passkey[]> {
  requirePasskeys(context)
  return listPasskeys(context.store.db, actor.user.id)
}

export async function rename(context: Context, actor: SessionActor, id: string, name: string): Promise<Passkey> {
  requirePasskeys(context)
  return change(context, actor, { lock: 'own-account' }, async (act) => {
    await renamePasskey(act.tx, id, actor.user.id, name)
    const passkey = (await listPasskeys(act.tx, actor.user.id)).find((one) => one.id === id)
    if (!passkey) throw notFound()
    return passkey
  })
}

/** Sessions that began with the passkey stay valid. */
export async function remove(context: Context, actor: SessionActor, id: string): Promise<void> {
  requirePasskeys(context)
  const { user } = actor
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    if (!(await deletePasskey(act.tx, id, user.id))) throw notFound()
    await requireFactorLeft(act, user)
    await requireWayIn(act, user)
    act.audit('passkey-delete')
    await act.notify('passkey-removed', user.email)
  })
}

/** @returns an access token @throws DomainError `not-found` for an unknown credential; `invalid` */
export async function logInByPasskey(context: Context, device: Device, ceremony: string, credential: Authentication) {
  const party = requirePasskeys(context)
  const challenge = await end(context, ceremony, 'log-in', null)
  const stored = await findCredential(context.store.db, credential.id)
  if (!stored) throw notFound()
  if (credential.response.userHandle === undefined) throw unverified()
  const use = await verify(context, credential, stored, { party, challenge }, 'log-in', device)
  const token = await change(context, device, {}, async (act) => {
    const user = await lockUser(act.tx, stored.user_id)
    if (!user?.is_active) {
      act.audit('log-in', { result: 'inactive', subjectId: stored.user_id })
      return undefined
    }
    const begun = await completeLogIn(act, user, 'passkey', device)
    if (!(await recordPasskeyUse(act.tx, stored, use))) throw unverified()
    return begun
  })
  if (token === undefined) throw new DomainError('invalid', 'Inactive user')
  return token
}

/**
 * Verifies a passkey of the account in a session.
 * @returns a function that records the use in a transaction
 * @throws DomainError `invalid`
 */
export async function verifyOwnPasskey(
  context: Context,
  actor: SessionActor,
  ceremony: string,
  credential: Authentication,
): Promise<(tx: Tx) => Promise<void>> {
  const party = requirePasskeys(context)
  const { id } = actor.user
  const challenge = await end(context, ceremony, 'reauthentication', id)
  const stored = await findCredential(context.store.db, credential.id)
  if (stored?.user_id !== id) throw unverified()
  const use = await verify(context, credential, stored, { party, challenge }, 'confirm', actor)
  return async (tx) => {
    if (!(await recordPasskeyUse(tx, stored, use))) throw unverified()
  }
}

async function verify(
  context: Context,
  credential: Authentication,
  stored: StoredCredential,
  expected: Expected,
  action: 'log-in' | 'confirm',
  { ip, user }: Origin & { user?: User },
) {
  const verified = await verifyAuthentication(credential, stored, expected).catch(() => undefined)
  if (verified && !verified.isCopy) return { ...verified.use, last_used_at: context.now() }
  const result = verified ? 'passkey-copied' : 'wrong-passkey'
  const facts = { result, actorId: user?.id, subjectId: stored.user_id } as const
  await change(context, { ip }, {}, async (act) => act.audit(action, facts))
  throw unverified()
}
