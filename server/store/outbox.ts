import { sql } from 'kysely'
import type { Db } from './store.ts'
import type { MailKind } from './tables.ts'

/** A mail that somebody is to be sent. */
export interface QueuedMail {
  id: string
  kind: MailKind
  address: string
  /** The network address of who caused it. */
  origin: string
  created_at: number
  /** Until then it is ours to send. */
  due_at: number
  /** How often it was taken up, this time included. */
  attempts: number
}

/** Runs in the transaction of what the mail tells of, so that neither is there without the other. */
export async function insertMail(db: Db, mail: Omit<QueuedMail, 'due_at' | 'attempts'>): Promise<void> {
  await db
    .insertInto('outbox')
    .values({ ...mail, due_at: mail.created_at, attempts: 0 })
    .execute()
}

/** Mails that somebody waits for go before notices. */
const urgency = sql<number>`case when kind in ('recovery', 'account-created', 'invitation') then 0 else 1 end`

/**
 * Takes the most urgent mail that is due, the oldest first, if any, until the lease is over: one statement, so that of several servers
 * exactly one has it. A server that dies with it does not take it along.
 */
export async function claimMail(db: Db, now: number, leaseUntil: number): Promise<QueuedMail | undefined> {
  const oldest = db
    .selectFrom('outbox as due')
    .select('due.id')
    .where('due.due_at', '<=', now)
    .orderBy(urgency)
    .orderBy('due.due_at')
    .orderBy('due.id')
    .limit(1)
  return (
    db
      .updateTable('outbox')
      .set((e) => ({ due_at: leaseUntil, attempts: e('attempts', '+', 1) }))
      .where('id', '=', oldest)
      // Not idle repetition: who waited for another server's claim of this row looks again at this condition only.
      .where('due_at', '<=', now)
      .returning(['id', 'kind', 'address', 'origin', 'created_at', 'due_at', 'attempts'])
      .executeTakeFirst()
  )
}

/** Whether any mail is due. */
export async function hasDueMail(db: Db, now: number): Promise<boolean> {
  return (
    (await db.selectFrom('outbox').select('id').where('due_at', '<=', now).limit(1).executeTakeFirst()) !== undefined
  )
}

/** Gives a mail back for another try, unless the lease is over and it is another's. */
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

/** The number of queued mails, and when the oldest was queued. */
export async function measureOutbox(db: Db): Promise<{ count: number; oldest: number | null }> {
  return db
    .selectFrom('outbox')
    .select((e) => [e.fn.countAll<number>().as('count'), e.fn.min<number | null>('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
}
