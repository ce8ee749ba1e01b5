import { v7 as uuid } from 'uuid'
import { insertMail } from '../store/outbox.ts'
import type { Tx } from '../store/store.ts'
import type { MailKind } from '../store/tables.ts'
import { emailKey } from '../lib/email-address.ts'
import type { Limits } from './limits.ts'

export type MailQueue = ReturnType<typeof createMailQueue>

/** Mails are queued with what they tell of, in its transaction, and sent later by server/mail/. */
export function createMailQueue({ limits, now }: { limits: Limits; now: () => number }) {
  /** @returns the mail's id */
  async function add(tx: Tx, kind: MailKind, address: string, ip: string): Promise<string> {
    const id = uuid()
    await insertMail(tx, { id, kind, address, origin: ip, created_at: now() })
    return id
  }

  return {
    add,

    /** Tells the owner of an address what happened to the account. Too many notices for one address are left out. */
    async addNotice(tx: Tx, kind: 'address-changed' | 'password-changed', address: string, ip: string): Promise<void> {
      if (await limits.noticeMail(tx, kind, emailKey(address))) await add(tx, kind, address, ip)
    },
  }
}
