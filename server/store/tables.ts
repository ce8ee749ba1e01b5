/**
 * The tables as Kysely sees them. Times are whole milliseconds since 1970 (UTC) and booleans are 0 or 1, on both databases,
 * so that one set of queries serves both: docs/decisions/0003-sqlite-and-postgresql-through-kysely.md.
 */
export interface Tables extends OwnedTables {
  users: UsersTable
  sessions: SessionsTable
  totals: TotalsTable
  deleted_owners: DeletedOwnersTable
  familiar_blocks: FamiliarBlocksTable
  reset_tokens: ResetTokensTable
  invitations: InvitationsTable
  outbox: OutboxTable
  limits: LimitsTable
  audit: AuditTable
  locks: LocksTable
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
  /** The address as its owner wrote it, trimmed. */
  email: string
  /** The address as it is compared: unique. */
  email_key: string
  full_name: string | null
  /** Empty where the owner has not chosen a password yet. */
  password_hash: string
  is_active: Flag
  is_superuser: Flag
  created_at: number
  /** Null until it is made: server/store/search-forms.ts. */
  email_search: string | null
  full_name_search: string | null
  last_active_at: number | null
}

interface SessionsTable {
  id: string
  /** SHA-256 of the access token, hex. The token itself is never stored. */
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
  /** As the browser calls itself. Null in sessions from before this was kept. */
  user_agent: string | null
  /** The network address it was used from last. Null in sessions from before this was kept. */
  address: string | null
}

interface ItemsTable {
  id: string
  owner_id: string
  title: string
  description: string | null
  created_at: number
  /** Null until it is made: server/store/search-forms.ts. */
  title_search: string | null
  description_search: string | null
}

/** How many rows of a resource each user has. Whoever adds or removes one changes this row first, which makes them take turns. */
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

/** The networks that an account's owner logged in from lately. */
interface FamiliarBlocksTable {
  user_id: string
  /** A digest of the network. */
  block: string
  ends_at: number
}

interface ResetTokensTable {
  user_id: string
  /** SHA-256 of the token, hex. */
  token_hash: string
  created_at: number
}

/** The newest invitation of an account without a password. */
interface InvitationsTable {
  user_id: string
  /** The mail in the outbox that brings the link: one that is superseded brings none. */
  mail_id: string
  /** SHA-256 of the token in the mail, hex. Null until the mail is sent. */
  mailed_hash: string | null
  /** SHA-256 of the token that whoever invites was told, hex. Null where the mail alone has the link. */
  told_hash: string | null
  created_at: number
}

/** Mails that are not delivered yet. */
interface OutboxTable {
  id: string
  kind: MailKind
  /** Where to, as it was given. */
  address: string
  /** The network address of who caused it. */
  origin: string
  created_at: number
  /** When to try (again). While one server is at it, this is the end of its lease. */
  due_at: number
  attempts: number
}

export type MailKind = 'recovery' | 'account-created' | 'invitation' | 'password-changed' | 'address-changed'

/** What somebody used of a bounded thing in the window that began at `started_at`. */
interface LimitsTable {
  /** A digest: what is typed into a log-in form may be anything, also a password. */
  key: string
  started_at: number
  ends_at: number
  used: number
  /** Reserved for work that has not shown yet whether it counts. */
  pending: number
}

interface AuditTable {
  id: string
  at: number
  action: string
  result: string
  actor_id: string | null
  subject_id: string | null
  /** The network address it came from, or `server`. */
  origin: string
}

interface LocksTable {
  name: 'accounts'
  taken: number
}
