import { type AnyContext, dbOf, type TxContext } from '../platform/context.ts'
import type { Tx } from '../platform/database/store.ts'
import { startsOf } from '../platform/lib/clock.ts'
import { decryptWith, encryptWith, hashToken, newToken } from '../platform/lib/secret-token.ts'
import type { ChallengePurpose } from '../tables.ts'
import {
  type ChallengeRow,
  deleteOldestChallenges,
  findChallenge,
  insertChallenge,
  setPayload,
  takeChallenge,
} from './challenge-queries.ts'

// A request begins a challenge, such as a reset by a mailed link. A later request with its token ends it, once and
// within its time: docs/decisions/0033-challenges.md.

const MINUTE = 60_000

/** How long a challenge lasts, and how many an account can have. One more challenge ends the oldest. */
const bounds: Record<ChallengePurpose, { lifetimeMs: number; perAccount: number }> = {
  passkey: { lifetimeMs: 5 * MINUTE, perAccount: 5 },
  'log-in': { lifetimeMs: 5 * MINUTE, perAccount: 5 },
  'authenticator-app': { lifetimeMs: 15 * MINUTE, perAccount: 1 },
  'password-reset': { lifetimeMs: 60 * MINUTE, perAccount: 1 },
  'password-reset-link': { lifetimeMs: 60 * MINUTE, perAccount: 1 },
  'invitation-mail': { lifetimeMs: 7 * 24 * 60 * MINUTE, perAccount: 1 },
  invitation: { lifetimeMs: 7 * 24 * 60 * MINUTE, perAccount: 1 },
  'invitation-link': { lifetimeMs: 7 * 24 * 60 * MINUTE, perAccount: 1 },
  'email-confirmation-mail': { lifetimeMs: 24 * 60 * MINUTE, perAccount: 1 },
  'email-confirmation': { lifetimeMs: 24 * 60 * MINUTE, perAccount: 1 },
  oidc: { lifetimeMs: 10 * MINUTE, perAccount: 5 },
  'oidc-log-in': { lifetimeMs: MINUTE, perAccount: 5 },
  'log-in-link': { lifetimeMs: 10 * MINUTE, perAccount: 1 },
}

export const PASSKEY_MS = bounds.passkey.lifetimeMs

/** `password-reset` is a link in a mail, `password-reset-link` a link that a superuser hands over. */
export const RESET_PURPOSES = ['password-reset', 'password-reset-link'] as const

/** A mail that is queued or sent, the link in it, and without a mail server the link that a superuser hands over. */
export const INVITATION_PURPOSES = ['invitation-mail', 'invitation', 'invitation-link'] as const

export const CONFIRMATION_PURPOSES = ['email-confirmation-mail', 'email-confirmation'] as const

/** The data that a challenge keeps for its end, encrypted with the token. */
interface Payloads extends Record<ChallengePurpose, object | null> {
  passkey: { use: 'log-in' | 'registration' | 'reauthentication'; challenge: string }
  'log-in': {
    /** The hash that the password matched. The log-in ends when the account has another one. */
    passwordHash: string
    /** The app that the account had when the log-in began. The log-in ends when the account has another one. */
    appId: string | null
    /** The secret of an app that is being set up in this log-in, encrypted. */
    secret: string | null
    wrongCodes: number
  }
  /** The token is the id of the account. */
  'authenticator-app': { secret: string }
  'password-reset': null
  'password-reset-link': null
  /** An invitation whose mail is queued or sent. The id of the mail is the token. */
  'invitation-mail': null
  invitation: null
  'invitation-link': null
  /** A confirmation whose mail is queued or sent. The id of the mail is the token. */
  'email-confirmation-mail': null
  'email-confirmation': { address: string }
  oidc: {
    use: 'log-in' | 'connection' | 'confirmation'
    /** Set for connections and confirmations. */
    sessionId: string | null
    returnTo: string
    nonce: string
    codeVerifier: string
  }
  'oidc-log-in': { returnTo: string; isFresh: boolean }
  'log-in-link': null
}

export interface Challenge<Purpose extends ChallengePurpose> {
  purpose: Purpose
  userId: string | null
  payload: Payloads[Purpose]
}

/**
 * Begins a challenge. An account with too many loses the oldest.
 * @param options.token replaces the random token; may be no secret if only a session or the server ends the challenge
 * @param options.attempt the number of the attempt to send a mail; tokens of earlier attempts stay valid, because their
 * mails may have arrived
 * @returns the token, of which only a digest is stored
 */
export async function issueChallenge<Purpose extends ChallengePurpose>(
  { now, tx }: Pick<TxContext, 'now' | 'tx'>,
  purpose: Purpose,
  userId: string | null,
  payload: Payloads[Purpose],
  { token = newToken(), attempt = 1 }: { token?: string; attempt?: number } = {},
): Promise<string> {
  const { lifetimeMs, perAccount } = bounds[purpose]
  if (userId !== null) await deleteOldestChallenges(tx, purpose, userId, perAccount + attempt - 2)
  await insertChallenge(tx, {
    digest: hashToken(token),
    purpose,
    user_id: userId,
    payload: payload === null ? null : encryptWith(token, JSON.stringify(payload)),
    expires_at: now() + lifetimeMs,
  })
  return token
}

const reading =
  (read: typeof findChallenge) =>
  async <Purpose extends ChallengePurpose>(context: AnyContext, purposes: readonly Purpose[], token: string) => {
    const row = await read(dbOf(context), purposes, hashToken(token))
    if (!row || !isValid(context, row)) return undefined
    const payload: unknown = row.payload === null ? null : JSON.parse(decryptWith(token, row.payload))
    return { purpose: row.purpose, userId: row.user_id, payload } as Challenge<Purpose>
  }

export const readChallenge = reading(findChallenge)

/**
 * Ends the challenge of a token, which can be used once. Outside of a transaction, a failed attempt uses it up, too.
 * @returns `undefined` if it is not valid
 */
export const redeemChallenge = reading(takeChallenge)

export async function updateChallenge<Purpose extends ChallengePurpose>(
  tx: Tx,
  { payload }: Challenge<Purpose>,
  token: string,
  changes: Partial<Payloads[Purpose]>,
): Promise<void> {
  await setPayload(tx, hashToken(token), encryptWith(token, JSON.stringify({ ...payload, ...changes })))
}

/** A challenge that expires later than possible was made by a wrong clock. */
function isValid({ now }: AnyContext, { purpose, expires_at }: ChallengeRow): boolean {
  const { lifetimeMs } = bounds[purpose]
  const { after, until } = startsOf(now() + lifetimeMs, lifetimeMs)
  return expires_at > after && expires_at <= until
}
