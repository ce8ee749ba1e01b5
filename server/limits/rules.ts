import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { addressBlock, addressBlocks } from '../platform/lib/network-address.ts'
import { isKnownNetwork } from './known-networks.ts'
import { limitKey } from './key.ts'
import { deleteUsages, findUsages, type Limit, takeUse } from './queries.ts'

// Rate limits. The counters are in the database, so that servers share them and they survive a restart.

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** For what is only counted. Fits into an integer of PostgreSQL. */
export const MAX_COUNT = 2_000_000_000

/** For a limit without a use left. */
export async function tooMany({ now }: Context, db: Db, { key }: Limit, message: string): Promise<DomainError> {
  const endsAt = (await findUsages(db, [key], now())).get(key)?.endsAt ?? now()
  return new DomainError('too-many', message, { retryAfter: Math.max(1, Math.ceil((endsAt - now()) / 1000)) })
}

/** @throws DomainError `too-many` */
async function take(context: Context, limit: Limit, message: string, db: Db = context.store.db): Promise<void> {
  if ((await takeUse(db, limit, context.now(), 'used')) === undefined) throw await tooMany(context, db, limit, message)
}

/** @returns whether each of the limits has a use left */
async function hasUseOfEach({ now }: Context, tx: Tx, limits: readonly Limit[]): Promise<boolean> {
  for (const limit of limits) if ((await takeUse(tx, limit, now(), 'used')) === undefined) return false
  return true
}

/** @throws DomainError `too-many` */
export async function limitSignUps(context: Context, ip: string): Promise<void> {
  const limit = { key: limitKey('sign-up', addressBlock(ip)), max: context.config.signupLimitPerHour, windowMs: HOUR }
  await take(context, limit, 'Too many sign-ups from this address, please try again later')
}

/** @throws DomainError `too-many` */
export async function limitRecoveries(context: Context, ip: string): Promise<void> {
  const limit = { key: limitKey('recovery', addressBlock(ip)), max: 30, windowMs: 5 * MINUTE }
  await take(context, limit, 'Too many requests from this address, please try again later')
}

/** Exports, each of which adds an audit entry. @throws DomainError `too-many` */
export async function limitExports(context: Context, userId: string): Promise<void> {
  const limit = { key: limitKey('export', userId), max: 60, windowMs: HOUR }
  await take(context, limit, 'Too many exports, please try again later')
}

/** Changes of many rows, each of which adds an audit entry. @throws DomainError `too-many` */
export async function limitBulks(context: Context, userId: string): Promise<void> {
  const limit = { key: limitKey('bulk', userId), max: 1000, windowMs: HOUR }
  await take(context, limit, 'Too many changes of many rows, please try again later')
}

/** Changes of the own account, each of which adds an audit entry. @throws DomainError `too-many` */
export async function limitAccountChanges(context: Context, userId: string): Promise<void> {
  const limit = { key: limitKey('account-change', userId), max: 1000, windowMs: HOUR }
  await take(context, limit, 'Too many changes of the account, please try again later')
}

/** Changes of the own address, including rejected ones. @throws DomainError `too-many` */
export async function limitAddressChanges(context: Context, userId: string): Promise<void> {
  const limit = { key: limitKey('address-change', userId), max: 5, windowMs: HOUR }
  await take(context, limit, 'Too many changes of the email address, please try again later')
}

export const TOO_MANY_INVITATIONS = 'Too many invitations to this address, please try again later'

/** Invitations to an address. @throws DomainError `too-many` */
export async function limitInvitations(context: Context, tx: Tx, emailKey: string): Promise<void> {
  await take(context, ofInvitations(emailKey), TOO_MANY_INVITATIONS, tx)
}

/** Those of the addresses that may get no invitation now. */
export async function findOverinvited({ store, now }: Context, emailKeys: readonly string[]): Promise<string[]> {
  const limits = emailKeys.map((emailKey) => ({ emailKey, ...ofInvitations(emailKey) }))
  const keys = limits.map(({ key }) => key)
  const usages = await findUsages(store.db, keys, now())
  return limits.filter(({ key, max }) => (usages.get(key)?.used ?? 0) >= max).map(({ emailKey }) => emailKey)
}

const ofInvitations = (emailKey: string): Limit => ({
  key: limitKey('invitation', emailKey),
  max: 10,
  windowMs: HOUR,
})

/**
 * Whether a recovery mail may be sent to an address: one a minute and five an hour per requesting network, and ten an
 * hour for all unknown networks, so that strangers cannot block the owner.
 */
export async function mayMailRecovery(context: Context, tx: Tx, emailKey: string, ip: string): Promise<boolean> {
  const block = addressBlock(ip)
  const isKnown = await isKnownNetwork(context, tx, emailKey, ip)
  const everywhere = { key: limitKey('recovery-hour', emailKey), max: 10, windowMs: HOUR }
  return hasUseOfEach(context, tx, [
    { key: limitKey('recovery-minute', block, emailKey), max: 1, windowMs: MINUTE },
    { key: limitKey('recovery-hour', block, emailKey), max: 5, windowMs: HOUR },
    ...(isKnown ? [] : [everywhere]),
  ])
}

/** Whether a notice of this kind may be sent to an address: one in five minutes. */
export async function mayMailNotice(context: Context, tx: Tx, kind: string, emailKey: string): Promise<boolean> {
  return hasUseOfEach(context, tx, [{ key: limitKey('notice', kind, emailKey), max: 1, windowMs: 5 * MINUTE }])
}

/**
 * Requires that the account has wrong codes left, over all its log-ins. The account is locked, so that there are no
 * others at the same time.
 * @throws DomainError `too-many`
 */
export async function requireCodesLeft(context: Context, tx: Tx, userId: string): Promise<void> {
  const limits = ofCodes(userId)
  const keys = limits.map(({ key }) => key)
  const usages = await findUsages(tx, keys, context.now())
  const usedUp = limits.find(({ key, max }) => (usages.get(key)?.used ?? 0) >= max)
  if (usedUp) throw await tooMany(context, tx, usedUp, 'Too many wrong codes, please try again later')
}

export async function countWrongCode({ now }: Context, tx: Tx, userId: string): Promise<void> {
  for (const limit of ofCodes(userId)) await takeUse(tx, limit, now(), 'used')
}

/** A new password ends the guesses of those who knew the old one. */
export async function forgetWrongCodes(tx: Tx, userId: string): Promise<void> {
  const keys = ofCodes(userId).map(({ key }) => key)
  await deleteUsages(tx, keys)
}

/** The longest wait comes first. */
const ofCodes = (userId: string): Limit[] => [
  { key: limitKey('second-factor-day', userId), max: 40, windowMs: DAY },
  { key: limitKey('second-factor', userId), max: 20, windowMs: HOUR },
]

/** Counts the wrong codes of an account in its log-ins and sessions. @returns whether the owner should hear of them */
export async function isTenthWrongCode({ now }: Context, tx: Tx, userId: string): Promise<boolean> {
  const counted = { key: limitKey('wrong-codes', userId), max: MAX_COUNT, windowMs: DAY }
  return (await takeUse(tx, counted, now(), 'used'))?.used === 10
}

/** Begun log-ins with passkeys, by network like wrong passwords. @throws DomainError `too-many` */
export async function limitCeremonies(context: Context, tx: Tx, ip: string): Promise<void> {
  for (const [width, block] of addressBlocks(ip).entries()) {
    const limit = { key: limitKey('passkey-log-in', block), max: 100 * 2 ** width, windowMs: 15 * MINUTE }
    await take(context, limit, 'Too many log-ins from this address, please try again later', tx)
  }
}

/**
 * Counts an entry of the audit log about an account.
 * @returns how many entries of the action are beyond the 1,000 of an hour, which began at `since`
 */
export async function countAuditEntry(
  { now }: Context,
  db: Db,
  userId: string,
  action: string,
): Promise<{ missing: number; since: number }> {
  const counted = { key: limitKey('audit', userId, action), max: MAX_COUNT, windowMs: HOUR }
  const use = await takeUse(db, counted, now(), 'used')
  return { missing: Math.max(0, (use?.used ?? 0) - 1000), since: use?.startedAt ?? 0 }
}

/** Whether to audit another invalid token, so that made-up tokens cannot fill the audit log. */
export async function mayRecordInvalidToken(context: Context, tx: Tx, ip: string): Promise<boolean> {
  const limit = { key: limitKey('invalid-token', addressBlock(ip)), max: 30, windowMs: 15 * MINUTE }
  return hasUseOfEach(context, tx, [limit])
}
