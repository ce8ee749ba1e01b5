import { v7 as uuid } from 'uuid'
import type { Context } from '../context.ts'
import type { Tx } from '../database/store.ts'
import type { MailType } from './mailer.ts'
import { insertMail } from './outbox.ts'

/** Queues a mail in the transaction of the change that it reports. The mailer sends it later. @returns the mail's id */
export async function queueMail(
  { now }: Context,
  tx: Tx,
  { kind }: Pick<MailType, 'kind'>,
  address: string,
  ip: string,
): Promise<string> {
  const id = uuid()
  await insertMail(tx, { id, kind, address, origin: ip, created_at: now() })
  return id
}
