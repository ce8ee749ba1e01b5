import { v7 as uuid } from 'uuid'
import { type Act, change } from '../sessions/change.ts'
import { consume, requireLeft } from '../limits/rules.ts'
import { type AnyContext, type Context, dbOf, type Services } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import type { SessionActor } from '../users/access.ts'
import type { User } from '../users/queries.ts'
import { deleteChallenges } from './challenge-queries.ts'
import { readChallenge, issueChallenge } from './challenges.ts'
import { readCode } from './pasted-codes.ts'
import {
  type AuthenticatorApp,
  claimStep,
  deleteApp,
  insertApp,
  readFactors,
  replaceRecoveryCodes,
} from './second-factor-queries.ts'
import { newAppSecret, randomBase32, stepOf } from './totp.ts'

// docs/decisions/0030-second-factor.md

export const incorrectCode = () => new DomainError('invalid', 'Incorrect code')
export const nothingToConfirm = () => new DomainError('conflict', 'There is nothing to confirm')
export const appExists = () => new DomainError('conflict', 'An authenticator app is already set up')

/** Whether the settings require a second factor. An account may also have set up an app by choice. */
export function isFactorRequired({ config }: Services, { is_superuser }: Pick<User, 'is_superuser'>): boolean {
  return config.secondFactor === 'all' || (config.secondFactor === 'superusers' && is_superuser)
}

export async function describeFactors(context: Context, user: User) {
  const { appId, passkeys, recoveryCodes } = await readFactors(context.store.db, user.id)
  return {
    totp: appId !== null,
    passkeys,
    recovery_codes_left: recoveryCodes,
    required: isFactorRequired(context, user),
  }
}

/** Called after a factor was removed. @throws DomainError `conflict` if no factor is left and one is required */
export async function requireFactorLeft(act: Act, user: User): Promise<void> {
  if (!isFactorRequired(act, user)) return
  const { appId, passkeys } = await readFactors(act.tx, user.id)
  if (appId === null && passkeys === 0) throw new DomainError('conflict', 'A second factor is required here')
}

/**
 * A password alone does not confirm a session if it is not enough for a log-in.
 * @throws DomainError `invalid` if the account has a second factor that the log-in needs
 */
export async function refusePasswordBesideFactor(context: AnyContext, user: User): Promise<void> {
  const { appId, passkeys } = await readFactors(dbOf(context), user.id)
  if (appId !== null || (passkeys > 0 && isFactorRequired(context, user)))
    throw new DomainError('invalid', 'Use your authenticator app or a passkey')
}

/** Makes a secret for an app. @throws DomainError `conflict` without a key to encrypt it */
export function newSecret({ encryption, config }: Services, { id, email }: User) {
  const { bytes, shown } = newAppSecret(config.product, email)
  return { encrypted: encryption.encrypt(id, bytes), shown }
}

/** @throws DomainError `invalid` for text that cannot be a code of an app; it does not count as a wrong code */
export function requireAppCode(text: string): string {
  const given = readCode(text)
  if (given?.method !== 'totp') throw incorrectCode()
  return given.code
}

export const CODES = ['codeInDay', 'code'] as const

/** Uses a code of an app once. @returns false for a wrong or used code @throws DomainError `busy` without the key */
export async function claimCode(
  { encryption, now, tx }: Act,
  userId: string,
  app: AuthenticatorApp | undefined,
  code: string,
): Promise<boolean> {
  const step = app && stepOf(encryption.decrypt(userId, app.secret), code, now())
  return app !== undefined && step !== undefined && (await claimStep(tx, app.id, step))
}

/**
 * Sets up an app by its first code, which cannot be used again. The account is locked and has no app.
 * @param encrypted the encrypted secret of the app
 * @returns recovery codes; `undefined` for a wrong code
 * @throws DomainError `too-many`; `invalid` for text that cannot be a code
 */
export async function addApp(act: Act, user: User, encrypted: string, code: string): Promise<string[] | undefined> {
  await requireLeft(act, CODES, { user: user.id })
  const appCode = requireAppCode(code)
  const last_step = stepOf(act.encryption.decrypt(user.id, encrypted), appCode, act.now())
  if (last_step === undefined) {
    await consume(act, CODES, { user: user.id })
    return undefined
  }
  await deleteChallenges(act.tx, [user.id], ['authenticator-app'])
  await insertApp(act.tx, { id: uuid(), user_id: user.id, secret: encrypted, last_step, created_at: act.now() })
  act.audit('totp-create', { actorId: user.id })
  await act.notify('app-added', user.email)
  return makeRecoveryCodes(act.tx, user.id)
}

/** Begins to set up an app, and replaces one that was not confirmed. @throws DomainError `conflict` */
export async function beginApp(context: Context, actor: SessionActor) {
  const { user } = actor
  return change(context, actor, { lock: 'own-account' }, async (act) => {
    if ((await readFactors(act.tx, user.id)).appId !== null) throw appExists()
    const { encrypted, shown } = newSecret(act, user)
    await issueChallenge(act, 'authenticator-app', user.id, { secret: encrypted }, { token: user.id })
    return shown
  })
}

/** @returns recovery codes @throws DomainError `conflict`, `invalid`, `too-many` */
export async function confirmApp(context: Context, actor: SessionActor, code: string): Promise<string[]> {
  const { user } = actor
  const codes = await change(context, actor, { lock: 'own-account' }, async (act) => {
    const begun = await readChallenge(act, ['authenticator-app'], user.id)
    if (!begun) throw nothingToConfirm()
    const made = await addApp(act, user, begun.payload.secret, code)
    if (!made) act.audit('second-factor', { result: 'wrong-code' })
    return made
  })
  if (!codes) throw incorrectCode()
  return codes
}

/** Deletes the recovery codes, too. @throws DomainError `not-found`, `conflict` */
export async function removeApp(context: Context, actor: SessionActor): Promise<void> {
  const { user } = actor
  await change(context, actor, { lock: 'own-account' }, async (act) => {
    if (!(await deleteApp(act.tx, user.id))) throw new DomainError('not-found', 'No authenticator app is set up')
    await requireFactorLeft(act, user)
    act.audit('totp-delete')
    await act.notify('app-removed', user.email)
  })
}

const RECOVERY_CODES = 10
/** Nobody can guess 80 random bits, so a digest without salt or key protects a recovery code. */
const RECOVERY_CODE_BYTES = 10

/** Makes recovery codes, which replace the old ones. @returns the codes, of which only digests are stored */
async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBase32(RECOVERY_CODE_BYTES))
  await replaceRecoveryCodes(tx, userId, codes.map(hashToken))
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** Replaces the recovery codes. @throws DomainError `conflict` without an app */
export async function renewRecoveryCodes(context: Context, actor: SessionActor): Promise<string[]> {
  const { user } = actor
  return change(context, actor, { lock: 'own-account' }, async (act) => {
    if ((await readFactors(act.tx, user.id)).appId === null)
      throw new DomainError('conflict', 'No authenticator app is set up')
    act.audit('recovery-codes')
    return makeRecoveryCodes(act.tx, user.id)
  })
}

/** Tells the owner of an account once a day that somebody guesses its codes. */
export async function noticeWrongCode(act: Act, user: User): Promise<void> {
  const [use] = await consume(act, 'wrongCode', { user: user.id })
  if (use?.used === 10) await act.notify('wrong-codes', user.email)
}
