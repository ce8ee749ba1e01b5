import { v7 as uuid } from 'uuid'
import { insertMail } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import type { MailKind } from '../store/tables.ts'

export type MailQueue = ReturnType<typeof createMailQueue>

/** Mails are written down with what they tell of, in its transaction, and sent later by server/mail/. */
export function createMailQueue({ now }: { now: () => number }) {
  return {
    async add(tx: Tx, kind: MailKind, address: string, ip: string): Promise<void> {
      await insertMail(tx, { id: uuid(), kind, address, origin: ip, created_at: now() })
    },
  }
}
