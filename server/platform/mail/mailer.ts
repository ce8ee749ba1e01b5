import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context.ts'
import type { Tx } from '../database/store.ts'
import type { Job } from '../jobs/job.ts'
import type { MailContent } from './email-template.ts'
import { claimMail, deleteMail, hasDueMail, postponeMail, type QueuedMail } from './outbox.ts'
import { explainMailError } from './mail-errors.ts'
import { MailRefused, type MailTransport } from './transports.ts'

/** Longer than any delivery. Afterwards another server may take over the mail. */
const LEASE_MS = 120_000
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 300_000
const GIVE_UP_AFTER_MS = 60 * 60_000
/** A request does not start a delivery, because response times would show whether an address has an account. */
const POLL_MS = 1_000
const PARALLEL = 4

/** A kind of mail. Each is declared in the folder whose rules send it. */
export interface MailType {
  kind: string
  /** Lower is sent first. Kinds whose links replace each other must keep their order, so they have the same urgency. */
  urgency: 0 | 1 | 2
  /** @returns `undefined` when the mail has no recipient or is no longer needed */
  compose: (context: Context, mail: QueuedMail) => Promise<{ to: string; content: MailContent } | undefined>
}

interface MailerOptions {
  mails: readonly MailType[]
  transport: MailTransport
  log: FastifyBaseLogger
  /** Called when the mail server took a mail to an address, or refused it for good or for too long. */
  onAnswer: (tx: Tx, address: string, isRefused: boolean) => Promise<void>
}

/**
 * Jobs that deliver the queued mails, each mail by one server at a time. They retry failed mails for an hour, with
 * growing delays. There are several jobs, so that a slow delivery does not delay other mails.
 */
export function createMailJobs(context: Context, { mails, transport, log, onAnswer }: MailerOptions): Job[] {
  const { store, now } = context
  const types = new Map(mails.map((type) => [type.kind, type]))
  const kinds = mails.map(({ kind }) => kind)
  /** Mails that the transport took while the database was away. They must not be sent again. */
  const taken = new Set<string>()

  async function end(mail: QueuedMail, answer: 'taken' | 'refused' | undefined): Promise<void> {
    await store.transaction(async (tx) => {
      await deleteMail(tx, mail)
      if (answer) await onAnswer(tx, mail.address, answer === 'refused')
    })
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    const facts = { mail: mail.id, kind: mail.kind, attempt: mail.attempts }
    try {
      const composed = taken.has(mail.id) ? undefined : await types.get(mail.kind)?.compose(context, mail)
      if (composed) {
        const sentTo = await transport.send({ ...composed.content, to: composed.to, kind: mail.kind })
        taken.add(mail.id)
        log.info({ ...facts, via: sentTo }, 'mail sent')
      }
      await end(mail, taken.has(mail.id) ? 'taken' : undefined)
      taken.delete(mail.id)
    } catch (error) {
      const failure = { ...facts, reason: reasonOf(error), why: explainMailError(error) }
      const refused = error instanceof MailRefused
      const outOfTime = !taken.has(mail.id) && now() - mail.created_at >= GIVE_UP_AFTER_MS
      if (refused || outOfTime) {
        log.error(failure, refused ? 'mail refused, given up' : 'mail given up')
        return end(mail, 'refused')
      }
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), LAST_RETRY_MS)
      const what = taken.has(mail.id) ? 'mail sent, but not recorded' : 'mail not sent'
      log.warn({ ...failure, retryInSeconds: wait / 1000 }, what)
      await postponeMail(store.db, mail, now() + (await store.clockOffset()) + wait)
    }
  }

  async function deliverDue(signal: AbortSignal): Promise<void> {
    for (;;) {
      // Usually nothing is due, and a claim would take the write lock.
      const at = now() + (await store.clockOffset())
      if (signal.aborted || !(await hasDueMail(store.db, kinds, at))) return
      const mail = await claimMail(store.db, mails, at, at + LEASE_MS)
      if (mail) await deliver(mail)
    }
  }

  return Array.from({ length: PARALLEL }, (_, index) => ({
    name: `mails ${index + 1}`,
    everyMs: POLL_MS,
    onEachServer: true,
    run: (_context, signal) => deliverDue(signal),
  }))
}

/** Only the kind of error is logged, because mail servers quote recipients and content in their errors. */
function reasonOf(error: unknown): object {
  const from = error instanceof MailRefused ? error.cause : error
  const { code, responseCode, command } = (from ?? {}) as Record<string, unknown>
  return { name: error instanceof Error ? error.name : 'unknown', code, responseCode, command }
}
