import { v7 as uuid } from 'uuid'
import { insertMail } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import type { MailKind } from '../store/tables.ts'
import { emailKey } from '../lib/email-address.ts'
import type { Limits } from './limits.ts'

export type MailQueue = ReturnType<typeof createMailQueue>

/** Queues mails in the transaction of the change that they report. server/mail/ sends them later. */
export function createMailQueue({ limits, now }: { limits: Limits; now: () => number }) {
  /** @returns the mail's id */
  async function add(tx: Tx, kind: MailKind, address: string, ip: string): Promise<string> {
    const id = uuid()
    await insertMail(tx, { id, kind, address, origin: ip, created_at: now() })
    return id
  }

  return {
    add,

    /** Notifies the owner of an account. Notices beyond the limit are omitted. */
    async addNotice(tx: Tx, kind: 'address-changed' | 'password-changed', address: string, ip: string): Promise<void> {
      if (await limits.noticeMail(tx, kind, emailKey(address))) await add(tx, kind, address, ip)
    },
  }
}
