import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'

/** A failure of the mail server. `cut` disconnects after each recipient's first mail, without confirming it. */
export type MailFault =
  | 'refuses connections'
  | 'does not respond'
  | '421 greeting'
  | '451 recipient'
  | '452 content'
  | '550'
  | 'cut'

interface ReceivedMail {
  to: string
  raw: string
}

type Done = (error?: Error | null) => void

const refusal = (responseCode: number) => Object.assign(new Error('refused'), { responseCode })

/** A mail server with configurable failures that keeps received mails. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  fault: MailFault | undefined
  private server: SMTPServer | undefined
  private port = 0

  get url(): string {
    return `smtp://127.0.0.1:${this.port}`
  }

  /** Uses the previous port again, if any. */
  async listen(): Promise<void> {
    const smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      closeTimeout: 1,
      onConnect: (_session, done) => {
        if (this.fault !== 'does not respond') done(this.fault === '421 greeting' ? refusal(421) : null)
      },
      onRcptTo: ({ address }, _session, done) => {
        if (this.fault === '451 recipient') done(refusal(451))
        else done(this.fault === '550' && address.startsWith('bad') ? refusal(550) : null)
      },
      onData: (stream, session, done) => void text(stream).then((raw) => this.take(session, raw, done)),
    })
    smtp.on('error', () => undefined)
    smtp.listen(this.port, '127.0.0.1')
    await once(smtp.server, 'listening')
    const address = smtp.server.address()
    if (address === null || typeof address === 'string') throw new Error('The mail server is not listening')
    this.port = address.port
    this.server = smtp
  }

  async close(): Promise<void> {
    const { server } = this
    this.server = undefined
    if (server) await new Promise<void>((resolve) => server.close(resolve))
  }

  async fail(fault: MailFault): Promise<void> {
    this.fault = fault
    if (fault === 'refuses connections') await this.close()
  }

  async mend(): Promise<void> {
    if (this.fault === 'refuses connections') await this.listen()
    this.fault = undefined
  }

  private take({ id, envelope }: SMTPServerSession, raw: string, done: Done): void {
    if (this.fault === '452 content') return done(refusal(452))
    const to = envelope.rcptTo[0]?.address ?? ''
    const isFirst = !this.received.some((mail) => mail.to === to)
    this.received.push({ to, raw })
    if (this.fault !== 'cut' || !isFirst) return done()
    for (const connection of this.server?.connections ?? []) if (connection.session.id === id) connection.close()
  }
}
