import { sql } from 'kysely'
import { v7 as uuid } from 'uuid'
import type { Tables } from '../../tables.ts'
import type { TxContext } from '../context.ts'
import type { Db } from '../database/store.ts'

export type QueuedMail = Tables['outbox']

/** @param origin the network address of the request that caused the mail @returns the mail's id */
export async function queueMail(
  { now, tx }: Pick<TxContext, 'now' | 'tx'>,
  { kind }: { kind: string },
  address: string,
  origin: string,
): Promise<string> {
  const mail = { id: uuid(), kind, address, origin, created_at: now(), due_at: now(), attempts: 0 }
  await tx.insertInto('outbox').values(mail).execute()
  return mail.id
}

/**
 * Claims the most urgent, oldest due mail, if any, until the lease ends. It is one statement, so that only one server
 * claims it. If that server crashes, the mail is due again when the lease ends.
 */
export async function claimMail(
  db: Db,
  kinds: readonly { kind: string; urgency: number }[],
  now: number,
  leaseUntil: number,
): Promise<QueuedMail | undefined> {
  // One query for each kind finds its mail by the index, however many are queued.
  const oldest = kinds.map(
    ({ kind, urgency }, index) => sql`
      select * from (
        select id, due_at, ${sql.lit(urgency)} as urgency from outbox
        where kind = ${kind} and due_at <= ${now} order by due_at, id limit 1
      ) as ${sql.id(`oldest_${index}`)}`,
  )
  const first = sql<string>`
    (select id from (${sql.join(oldest, sql` union all `)}) as due order by urgency, due_at, id limit 1)`
  return (
    db
      .updateTable('outbox')
      .set((e) => ({ due_at: leaseUntil, attempts: e('attempts', '+', 1) }))
      .where('id', '=', first)
      // PostgreSQL rechecks only this condition after it has waited for another server's claim.
      .where('due_at', '<=', now)
      .returning(['id', 'kind', 'address', 'origin', 'created_at', 'due_at', 'attempts'])
      .executeTakeFirst()
  )
}

export async function hasDueMail(db: Db, kinds: readonly string[], now: number): Promise<boolean> {
  const due = db.selectFrom('outbox').select('id').where('kind', 'in', kinds).where('due_at', '<=', now)
  return (await due.limit(1).executeTakeFirst()) !== undefined
}

/** Releases a mail for a retry, unless another server has claimed it. */
export async function postponeMail(db: Db, mail: QueuedMail, dueAt: number): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ due_at: dueAt })
    .where('id', '=', mail.id)
    .where('attempts', '=', mail.attempts)
    .execute()
}

export async function deleteMail(db: Db, mail: QueuedMail): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', mail.id).where('attempts', '=', mail.attempts).execute()
}

export async function measureOutbox(db: Db): Promise<{ count: number; oldest: number | null }> {
  return db
    .selectFrom('outbox')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min<number | null>('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
}
