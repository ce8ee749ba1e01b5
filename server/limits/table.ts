import { hash } from 'node:crypto'
import type { Config } from '../platform/config.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** For counters that refuse nobody. Fits into an integer of PostgreSQL. */
const UNLIMITED = 2_000_000_000

export type Subject = Partial<Record<'ip' | 'user' | 'session' | 'token' | 'email' | 'account' | 'kind', string>>

export interface Limit {
  /**
   * `subnet` is the narrowest network of `ip`. `subnets` are its wider networks, too, each with twice the limit of the
   * one before, because a /48 has more users than a /64. `mailbox` is `email` without its tag (`name+tag@`).
   */
  key: readonly ('subnet' | 'subnets' | 'mailbox' | Exclude<keyof Subject, 'ip'>)[]
  max: number | ((config: Config) => number)
  /** In milliseconds; less than 25 hours. */
  window: number
  /** What the refusal says, before `, please try again later`. Limits without it refuse silently. */
  message?: string
}

const FAILED = 'Too many failed attempts'
const LOG_INS = 'Too many log-ins from this address'
const CODES = 'Too many wrong codes'

const table = {
  signUp: {
    key: ['subnets'],
    max: (config) => config.signupLimitPerHour,
    window: HOUR,
    message: 'Too many sign-ups from this address',
  },

  // Limits of wrong passwords. `account` changes when an operator forgives wrong passwords, which starts new counters.
  logIn: { key: ['subnets', 'account'], max: 10, window: 15 * MINUTE, message: FAILED },
  logInFromUnknownNetworks: { key: ['account'], max: 50, window: HOUR, message: FAILED },
  logInsOfNetwork: { key: ['subnets'], max: 100, window: 15 * MINUTE, message: FAILED },
  /** Each right password costs a hash, too. */
  rightPassword: { key: ['subnets', 'account'], max: 100, window: 15 * MINUTE, message: FAILED },
  // The key has the session, so that a stolen session does not lock out the owner, and an id, because addresses change.
  ownPasswordOfSession: { key: ['user', 'session'], max: 10, window: 15 * MINUTE, message: FAILED },
  ownPasswordOfSessionInDay: { key: ['user', 'session'], max: 40, window: DAY, message: FAILED },
  ownPassword: { key: ['user'], max: 20, window: 15 * MINUTE, message: FAILED },
  /** The window is as long as the longest window of log-ins, so that forgiven attempts do not count again. */
  forgiven: { key: ['email'], max: UNLIMITED, window: HOUR },

  // Limits of wrong codes in all log-ins of an account.
  codeInDay: { key: ['user'], max: 40, window: DAY, message: CODES },
  code: { key: ['user'], max: 20, window: HOUR, message: CODES },
  /** Includes wrong codes in sessions. The owner gets a mail at the tenth. */
  wrongCode: { key: ['user'], max: UNLIMITED, window: DAY },
  /** A new password ends waits after wrong codes only this often, because the person who sets it may guess codes. */
  codesForgotten: { key: ['user'], max: 3, window: DAY },
  companyLogIn: { key: ['subnets'], max: 100, window: 15 * MINUTE, message: LOG_INS },
  /** Each answer costs requests to the provider. */
  companyAnswer: { key: ['subnets'], max: 100, window: 15 * MINUTE, message: LOG_INS },
  /** Counts each start and each end of connecting a company account or confirming with it. */
  companyFlowOfAccount: { key: ['user'], max: 60, window: 15 * MINUTE, message: 'Too many tries' },
  logInLink: { key: ['subnets'], max: 100, window: 15 * MINUTE, message: LOG_INS },
  passkeyLogIn: { key: ['subnets'], max: 100, window: 15 * MINUTE, message: LOG_INS },

  recovery: { key: ['subnets'], max: 30, window: 5 * MINUTE, message: 'Too many requests from this address' },
  recoveryMailInMinute: { key: ['subnet', 'mailbox'], max: 1, window: MINUTE },
  recoveryMail: { key: ['subnet', 'mailbox'], max: 5, window: HOUR },
  recoveryMailFromUnknownNetworks: { key: ['mailbox'], max: 10, window: HOUR },
  sentReset: { key: ['mailbox'], max: 5, window: HOUR, message: 'Too many password resets to this address' },
  /** Counts mails with a link that confirms an address, whoever requests them. */
  confirmationMail: { key: ['mailbox'], max: 5, window: HOUR, message: 'Too many links to this address' },
  confirmationInMinute: { key: ['user'], max: 1, window: MINUTE, message: 'Too many links' },
  confirmation: { key: ['user'], max: 5, window: HOUR, message: 'Too many links' },
  invitation: { key: ['mailbox'], max: 10, window: HOUR, message: 'Too many invitations to this address' },
  notice: { key: ['kind', 'mailbox'], max: 1, window: 5 * MINUTE },
  /** Limits all notices, because the address may belong to a person who does not know of the account. */
  noticeOfAnyKind: { key: ['mailbox'], max: 10, window: HOUR },

  export: { key: ['user'], max: 60, window: HOUR, message: 'Too many exports' },
  bulk: { key: ['user'], max: 1000, window: HOUR, message: 'Too many changes of many rows' },
  accountChange: { key: ['user'], max: 1000, window: HOUR, message: 'Too many changes of the account' },
  /** Counts rejected changes, too: the response shows which addresses have an account. */
  addressChange: { key: ['user'], max: 5, window: HOUR, message: 'Too many changes of the email address' },
  newToken: { key: ['user'], max: 100, window: DAY, message: 'Too many new API tokens' },
  /** Counted by server/limits/reserved.ts. */
  tokenRequest: { key: ['token'], max: 600, window: MINUTE, message: 'Too many requests of this token' },
  audit: { key: ['user', 'kind'], max: UNLIMITED, window: HOUR },
  invalidToken: { key: ['subnets'], max: 30, window: 15 * MINUTE },
} satisfies Record<string, Limit>

export const LIMITS: Record<LimitName, Limit> = table

export type LimitName = keyof typeof table

/** @returns a digest as key of a counter, because users sometimes type their password into the address field */
export function limitKey(...parts: string[]): string {
  return hash('sha256', JSON.stringify(parts))
}
