import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Invitations } from '../domain/invitations.ts'
import type { Recovery } from '../domain/recovery.ts'
import { claimMail, deleteMail, hasDueMail, postponeMail, type QueuedMail } from '../store/outbox.ts'
import type { Store } from '../store/store.ts'
import type { MailContent, MailTemplates } from './templates.ts'
import { MailRefused, type MailTransport } from './transports.ts'

/** Longer than any sending takes. When it is over, the server that had the mail is taken for dead. */
const LEASE_MS = 120_000
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 300_000
const GIVE_UP_AFTER_MS = 60 * 60_000
/**
 * How often it looks, more or less. It is not told by the request that queues a mail: then the work for an address that
 * somebody has would begin at once, beside the answer, and could be told by time from the little for one that nobody has.
 */
const POLL_MS = 1_000
const STOP_TIMEOUT_MS = 5_000
/** Deliveries at once, of one server. */
const PARALLEL = 4

export type Mailer = ReturnType<typeof createMailer>

/** Delivers what is in the outbox: each mail by one server at a time, again and later when it fails, an hour long. */
export function createMailer(options: {
  store: Store
  recovery: Recovery
  invitations: Invitations
  templates: MailTemplates
  transport: MailTransport
  log: FastifyBaseLogger
  now: () => number
}) {
  const { store, recovery, invitations, templates, transport, log, now } = options
  let timer: NodeJS.Timeout | undefined
  const running = new Set<Promise<void>>()
  let stopping = false

  /** @returns `undefined` when there is nobody to write to, or nothing to tell any more */
  async function compose(mail: QueuedMail): Promise<{ to: string; content: MailContent } | undefined> {
    switch (mail.kind) {
      case 'recovery': {
        const issued = await recovery.issueToken(mail, 'active')
        return issued && { to: issued.user.email, content: templates.recovery(issued.token) }
      }
      case 'account-created': {
        const issued = await recovery.issueToken(mail, 'active-or-inactive')
        return issued && { to: issued.user.email, content: templates.accountCreated(issued.user, issued.token) }
      }
      case 'invitation': {
        const issued = await invitations.issueToken(mail)
        return issued && { to: issued.user.email, content: templates.invitation(issued.user, issued.token) }
      }
      case 'password-changed':
        return { to: mail.address, content: templates.passwordChanged() }
      case 'address-changed':
        return { to: mail.address, content: templates.addressChanged() }
      default:
        return mail.kind satisfies never
    }
  }

  async function deliver(mail: QueuedMail): Promise<void> {
    const facts = { mail: mail.id, kind: mail.kind, attempt: mail.attempts }
    try {
      const composed = await compose(mail)
      if (composed) {
        const sentTo = await transport.send({ ...composed.content, to: composed.to, kind: mail.kind })
        log.info({ ...facts, via: sentTo }, 'mail sent')
      }
      await deleteMail(store.db, mail)
    } catch (error) {
      const refused = error instanceof MailRefused
      const outOfTime = now() - mail.created_at >= GIVE_UP_AFTER_MS
      if (refused || outOfTime) {
        log.error({ ...facts, reason: reasonOf(error) }, refused ? 'mail refused, given up' : 'mail given up')
        await deleteMail(store.db, mail)
        return
      }
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (mail.attempts - 1), LAST_RETRY_MS)
      log.warn({ ...facts, reason: reasonOf(error), retryInSeconds: wait / 1000 }, 'mail not sent')
      await postponeMail(store.db, mail, now() + wait)
    }
  }

  /** Delivers what is due, until nothing is. */
  async function deliverOneAfterAnother(): Promise<void> {
    for (;;) {
      // A look before the claim: looking does not take the write lock, and mostly there is nothing.
      if (stopping || !(await hasDueMail(store.db, now()))) return
      const mail = await claimMail(store.db, now(), now() + LEASE_MS)
      if (mail) await deliver(mail)
    }
  }

  async function deliverOrLog(): Promise<void> {
    try {
      await deliverOneAfterAnother()
    } catch (error) {
      if (!stopping) log.error({ reason: reasonOf(error) }, 'the outbox cannot be read')
    }
  }

  /** Looks again and again; while some deliveries are slow, others go on beside them. */
  function start(): void {
    if (running.size < PARALLEL) {
      const lane = deliverOrLog().finally(() => running.delete(lane))
      running.add(lane)
    }
    timer = setTimeout(start, POLL_MS * (0.5 + Math.random())).unref()
  }

  return {
    /** From now on it delivers by itself. */
    start,

    /** Delivers all that is due, and comes back when nothing is. */
    async deliverDue(): Promise<void> {
      await Promise.all(Array.from({ length: PARALLEL }, deliverOneAfterAnother))
    },

    /** Waits a moment for what is under way. What is not sent then stays in the outbox. */
    async stop(): Promise<void> {
      stopping = true
      clearTimeout(timer)
      await Promise.race([Promise.all(running), sleep(STOP_TIMEOUT_MS, undefined, { ref: false })])
      transport.close()
    },
  }
}

/** Errors of mail servers quote recipients and content; only what kind of error it was goes to the log. */
function reasonOf(error: unknown): object {
  const from = error instanceof MailRefused ? error.cause : error
  const { code, responseCode, command } = (from ?? {}) as Record<string, unknown>
  return { name: error instanceof Error ? error.name : 'unknown', code, responseCode, command }
}
