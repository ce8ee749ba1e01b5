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
    /** Its beginning (UTC). */
    day: number
    users: number
  }
  sessions: {
    id: string
    /** SHA-256 of the access token, hex. The token is not stored. */
    token_hash: string
    user_id: string
    created_at: number
    last_used_at: number
    user_agent: string | null
    address: string | null
    /** When and how its person last authenticated, in the log-in or later. */
    authenticated_at: number
    authenticated_by: AuthenticationMethod
  }
  api_tokens: {
    id: string
    /** SHA-256 of the token, hex. The token is not stored. */
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
    /** The network address of the request that caused it. */
    origin: string
    created_at: number
    /** The time of the next attempt or, during an attempt, the end of its lease. */
    due_at: number
    attempts: number
  }
  /** The uses of a limit in the window that began at `started_at`. */
  limits: {
    /** A digest, as text typed into a log-in form may be a password. */
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
    /** The network address, or `server`. */
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
    /** The time of the next run or, during a run, the end of its lease. */
    due_at: number
  }
  /** Changes that triggers record for watching clients: server/platform/database/changes.ts. */
  changes: {
    id: Generated<number>
    /** The transaction. PostgreSQL only. */
    xid: Generated<string>
    resource: string
    row_id: string
    owner_id: string
    /** By the clock of the database, shortly before the commit. */
    at: Generated<number>
  }
  /** The random handles of accounts for authenticators. They are no account ids. */
  passkey_handles: {
    user_id: string
    handle: string
  }
  passkeys: {
    id: string
    user_id: string
    credential_id: string
    /** COSE, base64url. */
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
    /** The address at the provider when the identity was connected. It is only shown. */
    email: string | null
    created_at: number
    last_used_at: number | null
  }
  /** Company accounts that an account disconnected. Its address alone does not connect them again. */
  disconnected_identities: {
    user_id: string
    issuer: string
    subject: string
  }
  /** Things that are begun and can be ended once: ceremonies, second steps, mailed links, unconfirmed apps. */
  challenges: {
    /** SHA-256 of the token, hex. */
    digest: string
    purpose: ChallengePurpose
    user_id: string | null
    /** JSON, encrypted by the token: `Payloads` in server/sign-in/challenges.ts. */
    payload: string | null
    expires_at: number
  }
  /** Files of rows: docs/decisions/0041-files.md. */
  files: {
    id: string
    /** The uploader. The file counts for the quota of this account. */
    owner_id: string
    name: string
    /** The media type of its content. Null until the content is stored as a whole. */
    type: string | null
    size: number
    created_at: number
    /** When the file is removed. Null while a row has it; 0 if a row just lost it. */
    expires_at: number | null
    /** The row that has the file, or had it last. */
    resource: string | null
    row_id: string | null
  }
  authenticator_apps: {
    id: string
    user_id: string
    secret: string
    /** The latest time step whose code was used. */
    last_step: number
    /** Null if nobody knows. */
    created_at: number | null
  }
  recovery_codes: {
    user_id: string
    /** SHA-256 of the code, hex. */
    digest: string
  }
}

/** Of what belongs to accounts. Its fields are in `queries.ts` of each resource. */
type ResourceTables = Record<ResourceTable, ResourceColumns>

interface ResourceColumns {
  id: string
  owner_id: string
  created_at: number
  /** The last change. Null if there was none. */
  updated_at: number | null
  [field: string]: string | number | null
}

/** What belongs to accounts: all tags of the contract with an operation on many rows, but for users. */
export type ResourceTable = Exclude<TagOf<keyof RouteHandlers>, 'users'>

type TagOf<Operation> = Operation extends `${infer Tag}Bulk${string}` ? Tag : never

export type Flag = 0 | 1

export type ProfileField = Exclude<keyof UserUpdateMe, 'email'>

interface UsersTable extends Record<ProfileField, string | number | null> {
  id: string
  /** As its owner wrote it, normalized. */
  email: string
  /** The unique comparison key of the address. */
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
  /** The last use of one of its API tokens, which is no activity of the person. */
  token_used_at: Generated<number | null>
  /** When a mailed link first proved the address. Null if none did. */
  email_confirmed_at: Generated<number | null>
  /** The new address until its mailed link is used. Normalized, as its owner wrote it. */
  pending_email: Generated<string | null>
  /** When a mail server refused the last mail to the address for good. Null if it took it. */
  mail_refused_at: Generated<number | null>
}

/** `link` is one that the operator made. */
export type AuthenticationMethod = 'password' | 'passkey' | 'totp' | 'recovery-code' | 'oidc' | 'link'

export type ApiTokenScope = 'read' | 'write'

export type ChallengePurpose =
  | 'passkey'
  | 'log-in'
  | 'authenticator-app'
  | 'password-reset'
  /** A link that a superuser hands over, as `invitation-link`. */
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
