import { recordAudit } from '../audit/record.ts'
import type { Context } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { DomainError } from '../platform/errors.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import type { Device } from '../users/access.ts'
import { lockUser, type User } from '../users/queries.ts'
import { type Challenge, find, issue, redeem, update } from './challenges.ts'
import { completeLogIn } from './complete-log-in.ts'
import { readCode } from './pasted-codes.ts'
import {
  addApp,
  appExists,
  claimCode,
  countWrongCode,
  incorrectCode,
  isFactorRequired,
  newSecret,
  nothingToConfirm,
  noticeWrongCode,
  requireCodesLeft,
} from './second-factor.ts'
import { deleteRecoveryCode, type Factors, readFactors } from './second-factor-queries.ts'

// The second step of a log-in by password.

const WRONG_CODES = 5

const expired = () => new DomainError('gone', 'This log-in has expired, please start again')

export interface SecondStep {
  /** What to tell the person. */
  detail: string
  /** The token of the log-in. */
  login: string
  methods: ('totp' | 'recovery_code' | 'passkey')[]
  enrol: boolean
}

/**
 * Begins the second step of a log-in. The account is active and locked, and its password was right.
 * @returns `undefined` if the password is enough
 */
export async function beginSecondStep(
  context: Context,
  tx: Tx,
  user: User,
  passwordHash: string,
): Promise<SecondStep | undefined> {
  const { appId, passkeys, recoveryCodes } = await readFactors(tx, user.id)
  if (appId === null && !isFactorRequired(context, user)) return undefined
  const login = await issue(context, tx, 'log-in', user.id, { passwordHash, appId, secret: null, wrongCodes: 0 })
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
  const token = await withLogIn(context, login, async (tx, step) => {
    const { challenge, user, factors } = step
    if (challenge.payload.appId !== factors.appId) throw expired()
    await requireCodesLeft(context, tx, user.id)
    const given = readCode(code)
    if (!given) throw incorrectCode()
    const isRight = await (given.method === 'totp'
      ? claimCode(context, tx, user.id, given.code)
      : deleteRecoveryCode(tx, user.id, hashToken(given.code)))
    if (isRight) return complete(context, tx, step, given.method, device)
    await countWrongCode(context, tx, user.id)
    return refuseCode(context, tx, step, device)
  })
  if (token === undefined) throw incorrectCode()
  return token
}

/** Begins to set up an app where the account has no second factor. @throws DomainError `conflict`, `gone` */
export async function beginEnrolment(context: Context, login: string) {
  return withLogIn(context, login, async (tx, { challenge, user, factors }) => {
    refuseSecondApp(factors)
    const { encrypted, shown } = newSecret(context, user)
    await update(tx, challenge, login, { secret: encrypted })
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
  const enrolled = await withLogIn(context, login, async (tx, step) => {
    const { challenge, user, factors } = step
    refuseSecondApp(factors)
    const { secret: encrypted } = challenge.payload
    if (encrypted === null) throw nothingToConfirm()
    const recoveryCodes = await addApp(context, tx, user, { encrypted, code }, device.ip)
    if (!recoveryCodes) return refuseCode(context, tx, step, device)
    return { token: await complete(context, tx, step, 'totp', device), recoveryCodes }
  })
  if (!enrolled) throw incorrectCode()
  return enrolled
}

/** A password alone must not suffice to replace a factor. @throws DomainError `conflict` */
function refuseSecondApp({ appId, passkeys }: Factors): void {
  if (appId !== null || passkeys > 0) throw appExists()
}

interface Step {
  login: string
  challenge: Challenge<'log-in'>
  user: User
  factors: Factors
}

/** Runs a step of a log-in, one of an account at a time. @throws DomainError `gone` */
async function withLogIn<T>(context: Context, login: string, work: (tx: Tx, step: Step) => Promise<T>): Promise<T> {
  // It began before the last start of the server.
  if (!context.config.passwordLogIn) throw expired()
  return context.store.transaction(async (tx) => {
    const found = await find(context, tx, ['log-in'], login)
    if (!found || found.userId === null) throw expired()
    const user = await lockUser(tx, found.userId, { passwordHash: found.payload.passwordHash })
    // It may have been used before the account was locked.
    const challenge = user?.is_active ? await find(context, tx, ['log-in'], login) : undefined
    if (!user || !challenge || challenge.payload.wrongCodes >= WRONG_CODES) throw expired()
    const factors = await readFactors(tx, user.id)
    const { appId } = challenge.payload
    if (appId !== null && appId !== factors.appId) throw expired()
    return work(tx, { login, challenge, user, factors })
  })
}

async function refuseCode(
  context: Context,
  tx: Tx,
  { login, challenge, user }: Step,
  { ip }: Device,
): Promise<undefined> {
  await update(tx, challenge, login, { wrongCodes: challenge.payload.wrongCodes + 1 })
  await recordAudit(context, tx, { action: 'second-factor', result: 'wrong-code', subjectId: user.id, ip })
  await noticeWrongCode(context, tx, user, ip)
}

async function complete(
  context: Context,
  tx: Tx,
  { login, user }: Step,
  method: 'totp' | 'recovery-code',
  device: Device,
): Promise<string> {
  await redeem(context, tx, ['log-in'], login)
  await recordAudit(context, tx, { action: 'second-factor', actorId: user.id, ip: device.ip })
  return completeLogIn(context, tx, user, method, device)
}
