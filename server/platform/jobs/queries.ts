import { sql } from 'kysely'
import type { Db } from '../database/store.ts'

/** Longer than the lease of a job. A job that is due even later was claimed by a server with a wrong clock. */
const MAX_AHEAD_MS = 2 * 24 * 3_600_000

export interface Claim {
  id: string
  leaseUntil: number
}

/**
 * Claims a due job until the lease ends, in one statement, so that only one server claims it. If that server crashes,
 * the job is due again when the lease ends.
 */
export async function claimJob(db: Db, { id, leaseUntil }: Claim, now: number, everyMs: number): Promise<boolean> {
  const { rows } = await sql`
    insert into jobs (id, due_at) values (${id}, ${leaseUntil})
    on conflict (id) do update set due_at = excluded.due_at
    where jobs.due_at <= ${now} or jobs.due_at > ${now + everyMs + MAX_AHEAD_MS}
    returning id`.execute(db)
  return rows.length > 0
}

/** Ends a claim, unless another server has taken the job over. */
export async function releaseJob(db: Db, { id, leaseUntil }: Claim, dueAt: number): Promise<void> {
  await db.updateTable('jobs').set({ due_at: dueAt }).where('id', '=', id).where('due_at', '=', leaseUntil).execute()
}
