import { randomBytes } from 'node:crypto'
import { v7 as uuid } from 'uuid'
import { recordAudit } from '../audit/record.ts'
import { attemptOwnPassword } from '../limits/attempts.ts'
import { consume, requireLeft, tryConsume } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { emailKey } from '../platform/lib/email-address.ts'
import { queueMail } from '../platform/mail/queue.ts'
import { changeOwn, freshly, renewProof } from '../sessions/rules.ts'
import type { SessionActor } from '../users/access.ts'
import type { User } from '../users/queries.ts'
import type { FactorNotice } from './mails.ts'
import {
  type AuthenticatorApp,
  claimStep,
  deleteApp,
  findApp,
  readFactors,
  replaceApp,
} from './second-factor-queries.ts'
import { readCode } from './pasted-codes.ts'
import { makeRecoveryCodes } from './recovery-codes.ts'
import { appUri, base32, matchingSteps, SECRET_BYTES } from './totp.ts'

// docs/decisions/0030-second-factor.md

/** How long an app can be confirmed. */
const UNCONFIRMED_MS = 15 * 60_000

/** No code was used yet. */
const NO_STEP = -1

export const incorrectCode = () => new DomainError('invalid', 'Incorrect code')
export const nothingToConfirm = () => new DomainError('conflict', 'There is nothing to confirm')
export const appExists = () => new DomainError('conflict', 'An authenticator app is already set up')

/** Whether a password alone does not let this account in. */
export function isFactorRequired({ config }: Context, { is_superuser }: Pick<User, 'is_superuser'>): boolean {
  return config.secondFactor === 'all' || (config.secondFactor === 'superusers' && is_superuser)
}

/** The second factors of an account, for people. */
export async function describeFactors(context: Context, user: User) {
  const { appId, passkeys, recoveryCodes } = await readFactors(context.store.db, user.id)
  return {
    totp: appId !== null,
    passkeys,
    recovery_codes_left: recoveryCodes,
    required: isFactorRequired(context, user),
  }
}

/** Called after a factor was removed. @throws DomainError `conflict` if it was the last one, and one is required */
export async function requireFactorLeft(context: Context, tx: Tx, user: User): Promise<void> {
  if (!isFactorRequired(context, user)) return
  const { appId, passkeys } = await readFactors(tx, user.id)
  if (appId === null && passkeys === 0) throw new DomainError('conflict', 'A second factor is required here')
}

/**
 * A password proves in a session what it proves at the log-in.
 * @throws DomainError `invalid` where a second factor is set up that the log-in needs
 */
export async function refusePasswordBesideFactor(context: Context, db: Db, user: User): Promise<void> {
  const { appId, passkeys } = await readFactors(db, user.id)
  if (appId !== null || (passkeys > 0 && isFactorRequired(context, user)))
    throw new DomainError('invalid', 'Use your authenticator app or a passkey')
}

/** A new secret for an app. @throws DomainError `conflict` without a key to seal it with */
export function newSecret({ sealing, config }: Context, { id, email }: User) {
  const secret = randomBytes(SECRET_BYTES)
  return {
    sealed: sealing.seal(id, secret),
    shown: { secret: base32(secret), uri: appUri(secret, config.product, email) },
  }
}

/** The time steps whose code this is. @throws DomainError `busy` without the key */
export function stepsOf({ sealing, now }: Context, userId: string, sealed: string, code: string): number[] {
  return matchingSteps(sealing.open(userId, sealed), code, now())
}

/** @throws DomainError `invalid` for what cannot be a code of an app, which does not count */
export function requireAppCode(text: string): string {
  const given = readCode(text)
  if (given?.method !== 'totp') throw incorrectCode()
  return given.code
}

/** Uses a code of an app, once. @returns false for a wrong or used one @throws DomainError `busy` without the key */
async function claimCode(
  context: Context,
  tx: Tx,
  userId: string,
  { id, secret }: AuthenticatorApp,
  code: string,
): Promise<boolean> {
  for (const step of stepsOf(context, userId, secret, code)) if (await claimStep(tx, id, step)) return true
  return false
}

/** Uses a code of the app that an account has confirmed. @returns false without one, too */
export async function claimOwnCode(context: Context, tx: Tx, userId: string, code: string): Promise<boolean> {
  const app = await findApp(tx, userId)
  return app?.expires_at === null && (await claimCode(context, tx, userId, app, code))
}

/** Needs a fresh session. Replaces an app that was not confirmed. @throws DomainError `conflict` */
export async function beginApp(context: Context, actor: SessionActor) {
  const { user } = actor
  return changeOwn(context, freshly(context, actor), async (tx) => {
    if ((await readFactors(tx, user.id)).appId !== null) throw appExists()
    const { sealed, shown } = newSecret(context, user)
    const expires_at = context.now() + UNCONFIRMED_MS
    await replaceApp(tx, { id: uuid(), user_id: user.id, secret: sealed, expires_at, last_step: NO_STEP })
    return shown
  })
}

/** Needs a fresh session. @returns recovery codes @throws DomainError `conflict`, `invalid`, `too-many` */
export async function confirmApp(context: Context, actor: SessionActor, code: string): Promise<string[]> {
  const { user, ip } = actor
  const codes = await changeOwn(context, freshly(context, actor), async (tx) => {
    const app = await findApp(tx, user.id)
    const { after, until } = startsOf(context.now() + UNCONFIRMED_MS, UNCONFIRMED_MS)
    if (!app || app.expires_at === null || app.expires_at <= after || app.expires_at > until) throw nothingToConfirm()
    await requireLeft(context, tx, ['codeInDay', 'code'], { user: user.id })
    if (!(await claimCode(context, tx, user.id, app, requireAppCode(code)))) {
      await consume(context, tx, ['codeInDay', 'code'], { user: user.id })
      await recordAudit(context, tx, { action: 'second-factor', result: 'wrong-code', actorId: user.id, ip })
      return undefined
    }
    return welcomeApp(context, tx, user, ip)
  })
  if (!codes) throw incorrectCode()
  return codes
}

/** What follows when an app was set up. @returns recovery codes */
export async function welcomeApp(context: Context, tx: Tx, user: User, ip: string): Promise<string[]> {
  const codes = await makeRecoveryCodes(tx, user.id)
  await recordAudit(context, tx, { action: 'totp-create', actorId: user.id, ip })
  await notifyOfFactor(context, tx, 'app-added', user, ip)
  return codes
}

/** Needs a fresh session. The recovery codes go, too. @throws DomainError `not-found`, `conflict` */
export async function removeApp(context: Context, actor: SessionActor): Promise<void> {
  const { user, ip } = actor
  await changeOwn(context, freshly(context, actor), async (tx) => {
    if (!(await deleteApp(tx, user.id))) throw new DomainError('not-found', 'No authenticator app is set up')
    await requireFactorLeft(context, tx, user)
    await recordAudit(context, tx, { action: 'totp-delete', actorId: user.id, ip })
    await notifyOfFactor(context, tx, 'app-removed', user, ip)
  })
}

/** Needs a fresh session. The old codes end. @throws DomainError `conflict` without an app */
export async function renewRecoveryCodes(context: Context, actor: SessionActor): Promise<string[]> {
  const { user, ip } = actor
  return changeOwn(context, freshly(context, actor), async (tx) => {
    if ((await readFactors(tx, user.id)).appId === null)
      throw new DomainError('conflict', 'No authenticator app is set up')
    await recordAudit(context, tx, { action: 'recovery-codes', actorId: user.id, ip })
    return makeRecoveryCodes(tx, user.id)
  })
}

/**
 * Proves again, in a session, to be the owner of its account. Guesses count like those of the own password.
 * @throws DomainError `invalid`, `too-many`
 */
export async function confirmByCode(context: Context, actor: SessionActor, code: string): Promise<void> {
  const { user, ip } = actor
  const isRight = await attemptOwnPassword(context, actor, async (attempt) => {
    const appCode = requireAppCode(code)
    await attempt.reserve()
    return changeOwn(context, actor, async (tx) => {
      const matches = await claimOwnCode(context, tx, user.id, appCode)
      if (matches) await renewProof(context, tx, actor, { userId: user.id, method: 'totp' })
      const result = matches ? ({ details: { method: 'totp' } } as const) : ({ result: 'wrong-code' } as const)
      await recordAudit(context, tx, { action: 'confirm', actorId: user.id, ip, ...result })
      if (!matches) await noticeWrongCode(context, tx, user, ip)
      await attempt.commit(tx, matches ? 'right' : 'wrong')
      return matches
    })
  })
  if (!isRight) throw incorrectCode()
}

/** Tells the owner of an account once a day that codes of it are guessed. */
export async function noticeWrongCode(context: Context, tx: Tx, user: User, ip: string): Promise<void> {
  const [use] = await consume(context, tx, 'wrongCode', { user: user.id })
  if (use?.used === 10) await notifyOfFactor(context, tx, 'wrong-codes', user, ip)
}

export async function notifyOfFactor(
  context: Context,
  tx: Tx,
  kind: FactorNotice,
  { email }: User,
  ip: string,
): Promise<void> {
  if (await tryConsume(context, tx, ['notice', 'noticeOfAnyKind'], { kind, email: emailKey(email) }))
    await queueMail(context, tx, kind, email, ip)
}
