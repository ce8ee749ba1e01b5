import type { Generated } from 'kysely'
import type { RouteHandlers } from './contract/fastify.gen.ts'
import type { UserUpdateMe } from './contract/types.gen.ts'

/**
 * Times are milliseconds since 1970 and booleans 0 or 1: docs/decisions/0003-sqlite-and-postgresql-through-kysely.md.
 */
export interface Tables extends ResourceTables {
  users: UsersTable
  /** How many users were active on each day. Deleted users still count. */
  active_days: {
    /** The beginning of the day (UTC). */
    day: number
    users: number
  }
  sessions: {
    id: string
    /** The SHA-256 of the access token in hexadecimal digits. The token is not stored. */
    token_hash: string
    user_id: string
    created_at: number
    last_used_at: number
    user_agent: string | null
    address: string | null
    /** When and how the person last authenticated in this session, at the log-in or later. */
    authenticated_at: number
    authenticated_by: AuthenticationMethod
  }
  api_tokens: {
    id: string
    /** The SHA-256 of the token in hexadecimal digits. The token is not stored. */
    token_hash: string
    user_id: string
    name: string
    scope: ApiTokenScope
    created_at: number
    expires_at: number
    last_used_at: number | null
    address: string | null
  }
  /** How many rows a table has: the sum over the stripes of its name. A single stripe may be negative. */
  totals: {
    name: 'users' | ResourceTable
    stripe: number
    value: number
  }
  counts: {
    name: ResourceTable
    owner_id: string
    value: number
  }
  /** Deleted accounts that still have rows. Triggers add them, and a job deletes the rows. */
  deleted_owners: {
    owner_id: string
  }
  known_networks: {
    user_id: string
    network: string
    ends_at: number
  }
  outbox: {
    id: string
    kind: string
    address: string
    /** The network address of the request that caused the mail. */
    origin: string
    created_at: number
    /** The time of the next attempt. During an attempt, the time when another server may take the mail over. */
    due_at: number
    attempts: number
  }
  /** The attempts under a rate limit in the window that began at `started_at`. */
  limits: {
    /** A digest, because text that is typed into a log-in form may be a password. */
    key: string
    started_at: number
    ends_at: number
    used: number
  }
  audit: {
    id: string
    at: number
    action: string
    result: string
    actor_id: string | null
    subject_id: string | null
    /** The network address of the request, or `server`. */
    origin: string
    /** A JSON object of at most 2 KiB, if any. */
    details: Generated<string | null>
    /** The normalized texts in the details: server/audit/search-text.ts. */
    details_search: Generated<string | null>
  }
  locks: {
    name: 'accounts'
    taken: number
  }
  jobs: {
    id: string
    /** The time of the next run. During a run, the time when another server may take the job over. */
    due_at: number
  }
  /** Changes that triggers record for watching clients: server/platform/database/changes.ts. */
  changes: {
    id: Generated<number>
    /** The id of the transaction, only on PostgreSQL. */
    xid: Generated<string>
    resource: string
    row_id: string
    owner_id: string
    /** The time of the change by the clock of the database, shortly before the commit. */
    at: Generated<number>
  }
  /** The random identifiers of accounts that authenticators store instead of account ids. */
  passkey_handles: {
    user_id: string
    handle: string
  }
  passkeys: {
    id: string
    user_id: string
    credential_id: string
    /** The key in COSE format, as base64url. */
    public_key: string
    transports: string
    counter: number
    is_syncable: Flag
    is_synced: Flag
    name: string
    created_at: number
    last_used_at: number | null
  }
  identities: {
    id: string
    user_id: string
    issuer: string
    subject: string
    /** The email address at the provider when the identity was connected. It is only shown to people. */
    email: string | null
    created_at: number
    last_used_at: number | null
  }
  /** Company accounts that people disconnected from an account. An equal email address does not connect them again. */
  disconnected_identities: {
    user_id: string
    issuer: string
    subject: string
  }
  /** What is begun and can be completed once: uses of passkeys, second steps, mailed links, new authenticator apps. */
  challenges: {
    /** The SHA-256 of the token in hexadecimal digits. */
    digest: string
    purpose: ChallengePurpose
    user_id: string | null
    /** JSON that is encrypted by the token: `Payloads` in server/sign-in/challenges.ts. */
    payload: string | null
    expires_at: number
  }
  /** Files of rows: docs/decisions/0041-files.md. */
  files: {
    id: string
    /** The account that uploaded the file, whose quota it counts for. */
    owner_id: string
    name: string
    /** The media type of its content. Null until the content is stored as a whole. */
    type: string | null
    size: number
    created_at: number
    /** When the file is removed. Null while a row has the file; 0 after the row lost it, until a job sets a time. */
    expires_at: number | null
    /** The row that has the file, or had it last. */
    resource: string | null
    row_id: string | null
  }
  authenticator_apps: {
    id: string
    user_id: string
    secret: string
    /** The latest time step (RFC 6238) whose code was used. */
    last_step: number
    /** Null if nobody knows. */
    created_at: number | null
  }
  recovery_codes: {
    user_id: string
    /** The SHA-256 of the code in hexadecimal digits. */
    digest: string
  }
}

/** The tables of resources, which belong to accounts. Their other columns are in `queries.ts` of each resource. */
type ResourceTables = Record<ResourceTable, ResourceColumns>

interface ResourceColumns {
  id: string
  owner_id: string
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  [field: string]: string | number | null
}

/** The resources that belong to accounts: all tags in openapi.json with an operation on many rows, except `users`. */
export type ResourceTable = Exclude<TagOf<keyof RouteHandlers>, 'users'>

type TagOf<Operation> = Operation extends `${infer Tag}Bulk${string}` ? Tag : never

export type Flag = 0 | 1

export type ProfileField = Exclude<keyof UserUpdateMe, 'email'>

interface UsersTable extends Record<ProfileField, string | number | null> {
  id: string
  /** The address as its owner wrote it, after `normalizeAddress`. */
  email: string
  /** The `emailKey` of the address, which is unique. */
  email_key: string
  full_name: string | null
  /** Empty if the owner has not set a password yet. */
  password_hash: string
  /** Null without a password, and if nobody knows when it was set. */
  password_set_at: Generated<number | null>
  is_invited: Generated<Flag>
  is_active: Flag
  is_superuser: Flag
  created_at: number
  /** The normalized address: server/platform/lib/normalized-text.ts. */
  email_search: string
  full_name_search: string | null
  last_active_at: number | null
  /** The last use of an API token of the account, which is no activity of the person. */
  token_used_at: Generated<number | null>
  /** When a mailed link first proved the address. Null if none did. */
  email_confirmed_at: Generated<number | null>
  /** A new address whose mailed link has not been used yet, after `normalizeAddress`. */
  pending_email: Generated<string | null>
  /** When a mail server finally refused the last mail to the address. Null if the server accepted the mail. */
  mail_refused_at: Generated<number | null>
}

/** `link` is a log-in link that the operator made. */
export type AuthenticationMethod = 'password' | 'passkey' | 'totp' | 'recovery-code' | 'oidc' | 'link'

export type ApiTokenScope = 'read' | 'write'

export type ChallengePurpose =
  | 'passkey'
  | 'log-in'
  | 'authenticator-app'
  | 'password-reset'
  /** A link that a superuser hands over, like `invitation-link`. */
  | 'password-reset-link'
  | 'invitation-mail'
  | 'invitation'
  /** An invitation that a superuser or the operator hands over. Its use does not prove the address. */
  | 'invitation-link'
  | 'email-confirmation-mail'
  | 'email-confirmation'
  | 'oidc'
  | 'oidc-log-in'
  | 'log-in-link'
