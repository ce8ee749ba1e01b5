/**
 * The tables as Kysely sees them. Times are whole milliseconds since 1970 (UTC) and booleans are 0 or 1, on both databases,
 * so that one set of queries serves both: docs/decisions/0003-sqlite-and-postgresql-through-kysely.md.
 */
export interface Tables {
  users: UsersTable
  sessions: SessionsTable
  items: ItemsTable
}

type Flag = 0 | 1

interface UsersTable {
  id: string
  /** The address as its owner wrote it, trimmed. */
  email: string
  /** The address as it is compared: unique. */
  email_key: string
  full_name: string | null
  password_hash: string
  is_active: Flag
  is_superuser: Flag
  created_at: number
}

interface SessionsTable {
  id: string
  /** SHA-256 of the access token, hex. The token itself is never stored. */
  token_hash: string
  user_id: string
  created_at: number
  last_used_at: number
}

interface ItemsTable {
  id: string
  owner_id: string
  title: string
  description: string | null
  created_at: number
}
