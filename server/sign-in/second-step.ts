import { type Act, change } from '../sessions/change.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'
import { consume, requireLeft } from '../limits/rules.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import type { Device } from '../users/access.ts'
import { lockOwnerOfChallenge, type User } from '../users/queries.ts'
import { type Challenge, readChallenge, issueChallenge, redeemChallenge, updateChallenge } from './challenges.ts'
import { completeLogIn } from './complete-log-in.ts'
import { readCode } from './pasted-codes.ts'
import {
  addApp,
  appExists,
  claimCode,
  CODES,
  incorrectCode,
  isFactorRequired,
  newSecret,
  nothingToConfirm,
  noticeWrongCode,
} from './second-factor.ts'
import { deleteRecoveryCode, findApp, readFactors } from './second-factor-queries.ts'

const WRONG_CODES = 5

const expired = () => new DomainError('gone', 'This log-in has expired, please start again')

/** The account is locked, and its password was right. @returns `undefined` if the password is enough */
export async function beginSecondStep(act: Act, user: User, passwordHash: string) {
  const { appId, passkeys, recoveryCodes } = await readFactors(act.tx, user.id)
  if (appId === null && !isFactorRequired(act, user)) return undefined
  const login = await issueChallenge(act, 'log-in', user.id, { passwordHash, appId, secret: null, wrongCodes: 0 })
  const methods: ('totp' | 'recovery_code' | 'passkey')[] = []
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
  const token = await withLogIn(context, device, login, async (act, step) => {
    const { challenge, user } = step
    const app = await findApp(act.tx, user.id)
    if (challenge.payload.appId !== (app?.id ?? null)) throw expired()
    await requireLeft(act, CODES, { user: user.id })
    const given = readCode(code)
    if (!given) throw incorrectCode()
    const isRight = await (given.method === 'totp'
      ? claimCode(act, user.id, app, given.code)
      : deleteRecoveryCode(act.tx, user.id, hashToken(given.code)))
    if (isRight) return complete(act, step, given.method)
    await consume(act, CODES, { user: user.id })
    return refuseCode(act, step)
  })
  if (token === undefined) throw incorrectCode()
  return token
}

/** Begins to set up an app if the account has no second factor. @throws DomainError `conflict`, `gone` */
export async function beginEnrolment(context: Context, device: Device, login: string) {
  return withLogIn(context, device, login, async (act, step) => {
    await refuseSecondApp(act, step)
    const { encrypted, shown } = newSecret(act, step.user)
    await updateChallenge(act.tx, step.challenge, login, { secret: encrypted })
    return shown
  })
}

/** @throws DomainError `conflict`, `gone`, `invalid`, `too-many` */
export async function confirmEnrolment(context: Context, device: Device, login: string, code: string) {
  const enrolled = await withLogIn(context, device, login, async (act, step) => {
    await refuseSecondApp(act, step)
    const { secret: encrypted } = step.challenge.payload
    if (encrypted === null) throw nothingToConfirm()
    const recoveryCodes = await addApp(act, step.user, encrypted, code)
    if (!recoveryCodes) return refuseCode(act, step)
    return { token: await complete(act, step, 'totp'), recoveryCodes }
  })
  if (!enrolled) throw incorrectCode()
  return enrolled
}

/** A password alone must not suffice to replace a factor. @throws DomainError `conflict`, `gone` */
async function refuseSecondApp({ tx }: Act, { challenge, user }: Step): Promise<void> {
  const { appId, passkeys } = await readFactors(tx, user.id)
  if (challenge.payload.appId !== null && challenge.payload.appId !== appId) throw expired()
  if (appId !== null || passkeys > 0) throw appExists()
}

interface Step {
  login: string
  challenge: Challenge<'log-in'>
  user: User
  device: Device
}

/** Runs one step of a log-in. Steps of the same account run one after the other. @throws DomainError `gone` */
async function withLogIn<T>(
  context: Context,
  device: Device,
  login: string,
  work: (act: Act, step: Step) => Promise<T>,
): Promise<T> {
  // The server may have restarted with another setting after the log-in began.
  if (!context.config.passwordLogIn) throw expired()
  return change(context, device, {}, async (act) => {
    const { user, passwordHash } = (await lockOwnerOfChallenge(act.tx, hashToken(login))) ?? {}
    // The challenge is read after the lock, because another request may have used it before.
    const challenge = user?.is_active ? await readChallenge(act, ['log-in'], login) : undefined
    if (!user || !challenge || challenge.payload.wrongCodes >= WRONG_CODES) throw expired()
    if (challenge.payload.passwordHash !== passwordHash) throw expired()
    return work(act, { login, challenge, user, device })
  })
}

async function refuseCode(act: Act, { login, challenge, user }: Step): Promise<undefined> {
  await updateChallenge(act.tx, challenge, login, { wrongCodes: challenge.payload.wrongCodes + 1 })
  act.audit('second-factor', { result: 'wrong-code', subjectId: user.id })
  await noticeWrongCode(act, user)
}

async function complete(act: Act, { login, user, device }: Step, method: 'totp' | 'recovery-code'): Promise<string> {
  await redeemChallenge(act, ['log-in'], login)
  act.audit('second-factor', { actorId: user.id })
  return completeLogIn(act, user, method, device)
}
