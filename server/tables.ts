import type { Generated } from 'kysely'

/**
 * The tables, for Kysely. Times are whole milliseconds since 1970 (UTC) and booleans are 0 or 1, so that both databases
 * share the queries: docs/decisions/0003-sqlite-and-postgresql-through-kysely.md.
 */
export interface Tables extends OwnedTables {
  users: UsersTable
  active_days: ActiveDaysTable
  sessions: SessionsTable
  totals: TotalsTable
  deleted_owners: DeletedOwnersTable
  known_networks: KnownNetworksTable
  one_time_tokens: OneTimeTokensTable
  outbox: OutboxTable
  limits: LimitsTable
  audit: AuditTable
  locks: LocksTable
  jobs: JobsTable
  passkey_handles: PasskeyHandlesTable
  passkeys: PasskeysTable
  ceremonies: CeremoniesTable
  authenticator_apps: AuthenticatorAppsTable
  recovery_codes: RecoveryCodesTable
  open_log_ins: OpenLogInsTable
}

/** What belongs to accounts, and how many each account has. */
interface OwnedTables {
  items: ItemsTable
  item_counts: CountsTable
}

export type OwnedTable = Exclude<keyof OwnedTables, `${string}_counts`>

export type Flag = 0 | 1

interface UsersTable {
  id: string
  /** As its owner wrote it, normalized. */
  email: string
  /** The unique comparison key of the address. */
  email_key: string
  full_name: string | null
  /** Empty if the owner has not set a password yet. */
  password_hash: string
  /** Whether the owner has not set a password yet. */
  is_invited: Generated<Flag>
  is_active: Flag
  is_superuser: Flag
  created_at: number
  /** Of the address: server/platform/lib/normalized-text.ts. */
  email_search: string
  full_name_search: string | null
  last_active_at: number | null
  /** When a mailed link first proved the address. Null if none did. */
  email_confirmed_at: Generated<number | null>
}

/** How many users were active on a day. Deleted ones still count. */
interface ActiveDaysTable {
  /** Its beginning (UTC). */
  day: number
  users: number
}

interface SessionsTable {
  id: string
  /** SHA-256 of the access token, hex. The token is not stored. */
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
  user_agent: string | null
  /** The last network address. */
  address: string | null
  /** When and how the owner last proved to be the owner. */
  proved_at: number
  proved_by: ProofMethod
}

export type ProofMethod = 'password' | 'passkey' | 'totp' | 'recovery-code'

/** The random handles of accounts for authenticators, which are no account ids. */
interface PasskeyHandlesTable {
  user_id: string
  handle: string
}

interface PasskeysTable {
  id: string
  user_id: string
  credential_id: string
  /** COSE, base64url. */
  public_key: string
  /** A JSON list. */
  transports: string
  counter: number
  is_syncable: Flag
  is_synced: Flag
  name: string
  created_at: number
  last_used_at: number | null
}

export type CeremonyPurpose = 'log-in' | 'registration' | 'confirmation'

interface CeremoniesTable {
  /** SHA-256 of the ceremony's name, hex. */
  digest: string
  purpose: CeremonyPurpose
  /** Null for a log-in. */
  user_id: string | null
  challenge: string
  expires_at: number
}

/** The authenticator app of an account, set up or not yet confirmed. */
interface AuthenticatorAppsTable {
  id: string
  user_id: string
  /** Sealed: server/platform/sealing.ts. */
  secret: string
  /** Null once it is set up. */
  expires_at: number | null
  /** The latest time step whose code was used. */
  last_step: number
}

/** The unused recovery codes. */
interface RecoveryCodesTable {
  user_id: string
  /** SHA-256 of the code, hex. */
  digest: string
}

/** Log-ins whose password was right, and that wait for their second step. */
interface OpenLogInsTable {
  /** SHA-256 of the log-in's name, hex. */
  digest: string
  user_id: string
  /** The hash that the password matched. The log-in ends when the account has another one. */
  password_hash: string
  /** The authenticator app of the account at that time. The log-in ends when the account has another one. */
  app_id: string | null
  /** Of an app that is being set up in this log-in, sealed. */
  secret: string | null
  wrong_codes: number
  expires_at: number
}

interface ItemsTable {
  id: string
  owner_id: string
  title: string
  description: string | null
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  title_search: string
  description_search: string | null
}

/** How many rows of a resource each user has. A transaction that adds or removes one writes this row first, as a lock. */
export interface CountsTable {
  owner_id: string
  value: number
}

/** How many rows a table has: the sum over the stripes of its name. A single stripe may be negative. */
interface TotalsTable {
  name: 'users' | OwnedTable
  stripe: number
  value: number
}

/** Accounts that are deleted, but for what they have: nobody sees that, and it is deleted a few rows at a time. */
interface DeletedOwnersTable {
  owner_id: string
  deleted_at: number
}

/** The known networks of an account: its owner logged in from them recently. */
interface KnownNetworksTable {
  user_id: string
  /** A digest. */
  network: string
  ends_at: number
}

/** Tokens of mailed links. An account has those of its newest link for each purpose. */
interface OneTimeTokensTable {
  /** The id of the mail with the token. A token that is not mailed has an id of its own. */
  id: string
  user_id: string
  purpose: TokenPurpose
  /** SHA-256 of the token, hex. Null until the mail is sent. */
  digest: string | null
  expires_at: number
  /** Whether only the address has the token. Otherwise it was handed over by a superuser or the operator. */
  is_mailed: Generated<Flag>
}

export type TokenPurpose = 'password-reset' | 'invitation'

/** Undelivered mails. */
interface OutboxTable {
  id: string
  kind: MailKind
  /** The recipient, as given. */
  address: string
  /** The network address of the request that caused it. */
  origin: string
  created_at: number
  /** The time of the next attempt or, during an attempt, the end of its lease. */
  due_at: number
  attempts: number
}

export type MailKind =
  | 'passkey-added'
  | 'passkey-removed'
  | 'app-added'
  | 'app-removed'
  | 'wrong-codes'
  | 'recovery-code-used'
  | 'second-factor-reset'
  | 'recovery'
  | 'account-created'
  | 'invitation'
  | 'password-changed'
  | 'factors-removed'
  | 'address-changed'

/** The uses of a limit in the window that began at `started_at`. */
interface LimitsTable {
  /** A digest, as text typed into a log-in form may be a password. */
  key: string
  started_at: number
  ends_at: number
  used: number
}

interface AuditTable {
  id: string
  at: number
  action: string
  result: string
  actor_id: string | null
  subject_id: string | null
  /** The network address, or `server`. */
  origin: string
  /** A JSON object of at most 2 KiB, if any. */
  details: Generated<string | null>
}

interface JobsTable {
  id: string
  /** The time of the next run or, during a run, the end of its lease. */
  due_at: number
}

interface LocksTable {
  name: 'accounts'
  taken: number
}
