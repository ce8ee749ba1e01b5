import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { type AuditEvent, recordAudit } from '../audit/record.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import { isUniqueViolation } from '../platform/database/errors.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { queueMail } from '../platform/mail/queue.ts'
import { requireFactorLeft } from './second-factor.ts'
import { beginSession, changeOwn, freshly, renewProof } from '../sessions/rules.ts'
import type { Device, SessionActor } from '../users/access.ts'
import { lockUser } from '../users/queries.ts'
import {
  beginCeremony,
  beginPublicCeremony,
  CEREMONY_MS,
  requirePasskeys,
  spendCeremony,
  unverified,
} from './ceremonies.ts'
import { ALGORITHMS } from './public-key.ts'
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
  usePasskey,
} from './passkey-queries.ts'
import { type Authentication, type Registration, verifyAuthentication, verifyRegistration } from './webauthn.ts'

const MAX_PASSKEYS = 20

const notFound = () => new DomainError('not-found', 'Passkey not found')

export async function logInOptions(context: Context, ip: string) {
  const party = requirePasskeys(context)
  const { ceremony, challenge } = await beginPublicCeremony(context, ip)
  return { ceremony, options: requestOptions(party.id, challenge, []) }
}

export async function confirmationOptions(context: Context, actor: SessionActor) {
  const party = requirePasskeys(context)
  return changeOwn(context, actor, async (tx) => {
    const { ceremony, challenge } = await beginCeremony(context, tx, 'confirmation', actor.user.id)
    return { ceremony, options: requestOptions(party.id, challenge, await listDescriptors(tx, actor.user.id)) }
  })
}

function requestOptions<T>(rpId: string, challenge: string, allowCredentials: T[]) {
  return { challenge, rpId, timeout: CEREMONY_MS, userVerification: 'required' as const, allowCredentials }
}

/** Needs a fresh session. */
export async function registrationOptions(context: Context, actor: SessionActor) {
  const { id: rpId, name } = requirePasskeys(context)
  const { user } = actor
  return changeOwn(context, freshly(context, actor), async (tx) => {
    const { ceremony, challenge } = await beginCeremony(context, tx, 'registration', user.id)
    const id = await ensureHandle(tx, user.id, randomBytes(32).toString('base64url'))
    const options = {
      rp: { id: rpId, name },
      user: { id, name: user.email, displayName: user.full_name ?? user.email },
      challenge,
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      timeout: CEREMONY_MS,
      attestation: 'none' as const,
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true,
        userVerification: 'required' as const,
      },
      excludeCredentials: await listDescriptors(tx, user.id),
    }
    return { ceremony, options }
  })
}

export interface NewRegistration {
  ceremony: string
  credential: Registration
  name: string
}

/** Needs a fresh session. @throws DomainError `invalid`; `conflict` */
export async function registerPasskey(
  context: Context,
  actor: SessionActor,
  { ceremony, credential, name }: NewRegistration,
): Promise<Passkey> {
  const party = requirePasskeys(context)
  const { user, ip } = actor
  const challenge = await spendCeremony(context, ceremony, 'registration', user.id)
  const verified = await verifyRegistration(credential, { party, challenge }).catch(() => undefined)
  if (!verified) throw unverified()
  const passkey = { id: uuid(), name, created_at: context.now(), last_used_at: null }
  const transports = JSON.stringify(credential.response.transports ?? [])
  await changeOwn(context, freshly(context, actor), async (tx) => {
    if ((await listPasskeys(tx, user.id)).length >= MAX_PASSKEYS) {
      throw new DomainError('conflict', `At most ${MAX_PASSKEYS} passkeys`)
    }
    await insertPasskey(tx, { ...passkey, ...verified, user_id: user.id, transports }).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new DomainError('conflict', 'This passkey is already registered') : error
    })
    await recordAudit(context, tx, { action: 'passkey-create', actorId: user.id, ip })
    await notify(context, tx, 'passkey-added', actor)
  })
  return { ...passkey, is_synced: verified.is_synced === 1 }
}

/** Newest first. */
export async function listOwn(context: Context, actor: SessionActor): Promise<Passkey[]> {
  requirePasskeys(context)
  return listPasskeys(context.store.db, actor.user.id)
}

export async function rename(context: Context, actor: SessionActor, id: string, name: string): Promise<Passkey> {
  requirePasskeys(context)
  return changeOwn(context, actor, async (tx) => {
    await renamePasskey(tx, id, actor.user.id, name)
    const passkey = (await listPasskeys(tx, actor.user.id)).find((one) => one.id === id)
    if (!passkey) throw notFound()
    return passkey
  })
}

/** Needs a fresh session. Sessions that the passkey began stay. */
export async function remove(context: Context, actor: SessionActor, id: string): Promise<void> {
  requirePasskeys(context)
  await changeOwn(context, freshly(context, actor), async (tx) => {
    if (!(await deletePasskey(tx, id, actor.user.id))) throw notFound()
    await requireFactorLeft(context, tx, actor.user)
    await recordAudit(context, tx, { action: 'passkey-delete', actorId: actor.user.id, ip: actor.ip })
    await notify(context, tx, 'passkey-removed', actor)
  })
}

/** @returns an access token @throws DomainError `not-found` for an unknown credential; `invalid` */
export async function logInByPasskey(
  context: Context,
  device: Device,
  ceremony: string,
  credential: Authentication,
): Promise<string> {
  const party = requirePasskeys(context)
  const challenge = await spendCeremony(context, ceremony, 'log-in', null)
  const stored = await findCredential(context.store.db, credential.id)
  if (!stored) throw notFound()
  if (credential.response.userHandle === undefined) throw unverified()
  const { ip } = device
  const use = await verify(context, credential, stored, { party, challenge }, { action: 'log-in', ip })
  const token = await context.store.transaction(async (tx) => {
    const user = await lockUser(tx, stored.user_id)
    if (!user?.is_active) {
      await recordAudit(context, tx, { action: 'log-in', result: 'inactive', subjectId: stored.user_id, ip })
      return undefined
    }
    const begun = await beginSession(context, tx, { userId: user.id, method: 'passkey' }, device)
    if (!(await usePasskey(tx, stored, use))) throw unverified()
    await recordAudit(context, tx, { action: 'log-in', actorId: user.id, ip, details: { method: 'passkey' } })
    await rememberNetwork(context, tx, user.id, ip)
    return begun
  })
  if (token === undefined) throw new DomainError('invalid', 'Inactive user')
  return token
}

/** Proves again, in a session, to be the owner of its account. @throws DomainError `invalid` */
export async function confirmByPasskey(
  context: Context,
  actor: SessionActor,
  ceremony: string,
  credential: Authentication,
): Promise<void> {
  const party = requirePasskeys(context)
  const { user, ip } = actor
  const challenge = await spendCeremony(context, ceremony, 'confirmation', user.id)
  const stored = await findCredential(context.store.db, credential.id)
  if (stored?.user_id !== user.id) throw unverified()
  const use = await verify(
    context,
    credential,
    stored,
    { party, challenge },
    { action: 'confirm', ip, actorId: user.id },
  )
  await changeOwn(context, actor, async (tx) => {
    if (!(await usePasskey(tx, stored, use))) throw unverified()
    await renewProof(context, tx, actor, { userId: user.id, method: 'passkey' })
    await recordAudit(context, tx, { action: 'confirm', actorId: user.id, ip, details: { method: 'passkey' } })
  })
}

async function verify(
  context: Context,
  credential: Authentication,
  stored: StoredCredential,
  expected: Parameters<typeof verifyAuthentication>[2],
  event: AuditEvent,
) {
  const verified = await verifyAuthentication(credential, stored, expected).catch(() => undefined)
  if (verified && !verified.isCopy) return { ...verified.use, last_used_at: context.now() }
  const result = verified ? 'passkey-copied' : 'wrong-passkey'
  await recordAudit(context, context.store.db, { ...event, result, subjectId: stored.user_id })
  throw unverified()
}

async function notify(context: Context, tx: Tx, kind: 'passkey-added' | 'passkey-removed', { user, ip }: SessionActor) {
  if (await tryConsume(context, tx, ['notice', 'noticeOfAnyKind'], { kind, email: emailKey(user.email) }))
    await queueMail(context, tx, kind, user.email, ip)
}
