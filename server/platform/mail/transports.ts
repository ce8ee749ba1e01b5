import { randomUUID } from 'node:crypto'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport as createNodemailer } from 'nodemailer'
import { createFolder, syncToDisk } from '../lib/durable-files.ts'
import type { MailContent } from './email-template.ts'

const CONNECT_TIMEOUT_MS = 10_000
const SILENCE_TIMEOUT_MS = 20_000
/** The limit for a whole delivery, even if the mail server keeps sending slowly. Shorter than the lease of a mail. */
const SEND_MS = 60_000

export interface Mail extends MailContent {
  to: string
  kind: string
}

export interface MailTransport {
  /**
   * @returns the destination, for the log
   * @throws MailRefused when the server rejects this mail permanently; any other error is temporary
   */
  send(mail: Mail): Promise<string>
  close(): void
}

/** The mail server rejected this mail permanently. */
export class MailRefused extends Error {
  override name = 'MailRefused'
}

export interface Mailbox {
  name: string
  address: string
}

interface TransportOptions {
  smtpUrl: string | undefined
  from: Mailbox
  ehloName?: string | undefined
  outbox: string
  sendMs?: number
}

export function createTransport(options: TransportOptions): MailTransport {
  const { smtpUrl, from, outbox } = options
  return smtpUrl === undefined ? createFileTransport(from, outbox) : createSmtpTransport(smtpUrl, options)
}

/** Sender and recipient are objects, because nodemailer would parse a text: one address could become two. */
function messageOf(from: Mailbox, { to, subject, text, html }: Mail) {
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

function createSmtpTransport(
  url: string,
  { from, ehloName, sendMs = SEND_MS }: Omit<TransportOptions, 'smtpUrl'>,
): MailTransport {
  const transporter = createNodemailer({
    // Parameters of the URL win: `?requireTLS=false` allows a password without TLS.
    url,
    // The name in EHLO. Without it, machines without a dot in their name, such as containers, would send `[127.0.0.1]`,
    // which relays refuse.
    ...(ehloName !== undefined && { name: ehloName }),
    requireTLS: URL.parse(url)?.username !== '',
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    // Closes the connection without waiting for the mail server.
    socketCloseTimeout: 0,
  })
  const closing = new AbortController()
  return {
    async send(mail) {
      const signal = AbortSignal.any([AbortSignal.timeout(sendMs), closing.signal])
      try {
        await transporter.sendMail({ ...messageOf(from, mail), signal })
        return 'smtp'
      } catch (error) {
        throw isFinal(error) ? new MailRefused('The mail server rejected the mail', { cause: error }) : error
      }
    },
    close: () => closing.abort(),
  }
}

/** Whether the error is a 5xx reply about this mail. A reply to the log-in or the greeting is about all mails. */
function isFinal(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown }
  const aboutTheMail = typeof command === 'string' && /^(MAIL FROM|RCPT TO|DATA)/.test(command)
  return aboutTheMail && typeof responseCode === 'number' && responseCode >= 500
}

/** Writes mails to files, for machines without a mail server. */
function createFileTransport(from: Mailbox, folder: string): MailTransport {
  const composer = createNodemailer({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    async send(mail) {
      // Encodings for mail servers would break the long links that people copy.
      const raw = `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${mail.text}`
      const { message } = await composer.sendMail({ ...messageOf(from, mail), text: { raw } })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${mail.kind}-${randomUUID().slice(0, 8)}.eml`
      createFolder(folder)
      const file = join(folder, name)
      // Uses another name until the file is complete, because a program may be watching the folder.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true })
      await rename(`${file}.part`, file)
      syncToDisk(folder)
      return file
    },
    close: () => composer.close(),
  }
}
