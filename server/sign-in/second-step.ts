import { v7 as uuid } from 'uuid'
import { recordAudit } from '../audit/record.ts'
import { rememberNetwork } from '../limits/known-networks.ts'
import { consume, requireLeft } from '../limits/rules.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { hashToken, newToken } from '../platform/lib/secret-token.ts'
import { beginSession } from '../sessions/rules.ts'
import type { Device } from '../users/access.ts'
import { lockUser, type User } from '../users/queries.ts'
import {
  deleteLogIn,
  deleteOldestLogIns,
  type Factors,
  findLogIn,
  insertLogIn,
  type OpenLogIn,
  readFactors,
  replaceApp,
  updateLogIn,
} from './second-factor-queries.ts'
import { readCode } from './pasted-codes.ts'
import { useRecoveryCode } from './recovery-codes.ts'
import {
  appExists,
  claimOwnCode,
  incorrectCode,
  isFactorRequired,
  newSecret,
  nothingToConfirm,
  noticeWrongCode,
  notifyOfFactor,
  requireAppCode,
  stepsOf,
  welcomeApp,
} from './second-factor.ts'

// The second step of a log-in by password.

const OPEN_MS = 5 * 60_000
const OPEN_PER_ACCOUNT = 5
const WRONG_CODES = 5

const expired = () => new DomainError('gone', 'This log-in has expired, please start again')

export interface SecondStep {
  /** What to tell the person. */
  detail: string
  /** The name of the log-in, which is not stored. */
  login: string
  methods: ('totp' | 'recovery_code' | 'passkey')[]
  enrol: boolean
}

/**
 * Opens a log-in that waits for its second step. The account is active and locked, and its password was right.
 * @returns `undefined` if the password is enough
 */
export async function openLogIn(
  context: Context,
  tx: Tx,
  user: User,
  passwordHash: string,
): Promise<SecondStep | undefined> {
  const { appId, passkeys, recoveryCodes } = await readFactors(tx, user.id)
  if (appId === null && !isFactorRequired(context, user)) return undefined
  const login = newToken()
  await deleteOldestLogIns(tx, user.id, OPEN_PER_ACCOUNT - 1)
  await insertLogIn(tx, {
    digest: hashToken(login),
    user_id: user.id,
    password_hash: passwordHash,
    app_id: appId,
    secret: null,
    wrong_codes: 0,
    expires_at: context.now() + OPEN_MS,
  })
  const methods: SecondStep['methods'] = []
  if (appId !== null) methods.push('totp')
  if (appId !== null && recoveryCodes > 0) methods.push('recovery_code')
  if (passkeys > 0) methods.push('passkey')
  const enrol = methods.length === 0
  const detail = enrol
    ? 'Set up an authenticator app to log in'
    : appId === null
      ? 'Use your passkey to log in'
      : 'Enter the code of your authenticator app'
  return { detail, login, methods, enrol }
}

/** @returns an access token @throws DomainError `invalid`, `gone`, `too-many` */
export async function finishLogIn(context: Context, device: Device, login: string, code: string): Promise<string> {
  const { ip } = device
  const token = await withLogIn(context, login, async (tx, { logIn, user, factors }) => {
    if (logIn.app_id !== factors.appId) throw expired()
    await requireLeft(context, tx, ['codeInDay', 'code'], { user: user.id })
    const given = readCode(code)
    if (!given) throw incorrectCode()
    const { method } = given
    const isRight = await (method === 'totp'
      ? claimOwnCode(context, tx, user.id, given.code)
      : useRecoveryCode(tx, user.id, given.code))
    if (!isRight) return refuseCode(context, tx, logIn, user, ip)
    const begun = await admit(context, tx, logIn, method, device)
    if (method === 'recovery-code') await notifyOfFactor(context, tx, 'recovery-code-used', user, ip)
    return begun
  })
  if (token === undefined) throw incorrectCode()
  return token
}

/** Begins to set up an app where the account has no second factor. @throws DomainError `conflict`, `gone` */
export async function beginEnrolment(context: Context, login: string) {
  return withLogIn(context, login, async (tx, { logIn, user, factors }) => {
    refuseSecondApp(factors)
    const { sealed, shown } = newSecret(context, user)
    await updateLogIn(tx, logIn.digest, { secret: sealed })
    return shown
  })
}

/** @returns an access token and recovery codes @throws DomainError `conflict`, `gone`, `invalid`, `too-many` */
export async function confirmEnrolment(
  context: Context,
  device: Device,
  login: string,
  code: string,
): Promise<{ token: string; recoveryCodes: string[] }> {
  const { ip } = device
  const enrolled = await withLogIn(context, login, async (tx, { logIn, user, factors }) => {
    refuseSecondApp(factors)
    const { secret } = logIn
    if (secret === null) throw nothingToConfirm()
    await requireLeft(context, tx, ['codeInDay', 'code'], { user: user.id })
    const last_step = stepsOf(context, user.id, secret, requireAppCode(code)).at(-1)
    if (last_step === undefined) return refuseCode(context, tx, logIn, user, ip)
    await replaceApp(tx, { id: uuid(), user_id: user.id, secret, expires_at: null, last_step })
    const begun = await admit(context, tx, logIn, 'totp', device)
    return { token: begun, recoveryCodes: await welcomeApp(context, tx, user, ip) }
  })
  if (!enrolled) throw incorrectCode()
  return enrolled
}

/** A half log-in shows a password, which must not suffice to replace a factor. @throws DomainError `conflict` */
function refuseSecondApp({ appId, passkeys }: Factors): void {
  if (appId !== null || passkeys > 0) throw appExists()
}

interface Opened {
  logIn: OpenLogIn
  user: User
  factors: Factors
}

/** Runs a step of a log-in, one of an account at a time. @throws DomainError `gone` */
async function withLogIn<T>(context: Context, login: string, work: (tx: Tx, opened: Opened) => Promise<T>): Promise<T> {
  const { store, now } = context
  const find = (tx: Tx) => findLogIn(tx, hashToken(login), startsOf(now() + OPEN_MS, OPEN_MS))
  return store.transaction(async (tx) => {
    const found = await find(tx)
    const user = found && (await lockUser(tx, found.user_id, { passwordHash: found.password_hash }))
    // It may have been used before the account was locked.
    const logIn = user?.is_active ? await find(tx) : undefined
    if (!user || !logIn || logIn.wrong_codes >= WRONG_CODES) throw expired()
    const factors = await readFactors(tx, user.id)
    if (logIn.app_id !== null && logIn.app_id !== factors.appId) throw expired()
    return work(tx, { logIn, user, factors })
  })
}

async function refuseCode(
  context: Context,
  tx: Tx,
  { digest, wrong_codes }: OpenLogIn,
  user: User,
  ip: string,
): Promise<undefined> {
  await updateLogIn(tx, digest, { wrong_codes: wrong_codes + 1 })
  await consume(context, tx, ['codeInDay', 'code'], { user: user.id })
  await recordAudit(context, tx, { action: 'second-factor', result: 'wrong-code', subjectId: user.id, ip })
  await noticeWrongCode(context, tx, user, ip)
}

async function admit(
  context: Context,
  tx: Tx,
  { digest, user_id: userId }: OpenLogIn,
  method: 'totp' | 'recovery-code',
  device: Device,
): Promise<string> {
  const { ip } = device
  await deleteLogIn(tx, digest)
  const token = await beginSession(context, tx, { userId, method }, device)
  await recordAudit(context, tx, { action: 'second-factor', actorId: userId, ip })
  await recordAudit(context, tx, { action: 'log-in', actorId: userId, ip, details: { method } })
  await rememberNetwork(context, tx, userId, ip)
  return token
}
