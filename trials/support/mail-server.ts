import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'

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

/** A mail server with configurable failures that keeps received mails. */
export class MailServer {
  readonly received: ReceivedMail[] = []
  fault: MailFault | undefined
  private server: Server | undefined
  private listeningPort = 0
  private readonly sockets = new Set<Socket>()

  get url(): string {
    return `smtp://127.0.0.1:${this.listeningPort}`
  }

  /** Uses the previous port again, if any. */
  async listen(): Promise<void> {
    const server = createServer((socket) => this.serve(socket))
    server.listen(this.listeningPort, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('The mail server is not listening')
    this.listeningPort = address.port
    this.server = server
  }

  async close(): Promise<void> {
    if (!this.server) return
    const closed = once(this.server, 'close')
    this.server.close()
    this.server = undefined
    for (const socket of this.sockets) socket.destroy()
    await closed
  }

  async fail(fault: MailFault): Promise<void> {
    this.fault = fault
    if (fault === 'refuses connections') await this.close()
  }

  async mend(): Promise<void> {
    if (this.fault === 'refuses connections') await this.listen()
    this.fault = undefined
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket)
    socket.once('close', () => this.sockets.delete(socket))
    socket.on('error', () => undefined)
    if (this.fault === 'does not respond') return
    const say = (line: string): void => void socket.write(`${line}\r\n`)
    say(this.fault === '421 greeting' ? '421 not now' : '220 ready')
    let buffered = ''
    let to = ''
    let inContent = false
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      buffered += chunk
      for (;;) {
        const end = inContent ? '\r\n.\r\n' : '\r\n'
        const at = buffered.indexOf(end)
        if (at === -1) return
        const part = buffered.slice(0, at)
        buffered = buffered.slice(at + end.length)
        if (inContent) {
          inContent = false
          this.take(socket, { to, raw: part }, say)
          continue
        }
        to = /^RCPT TO:<([^>]*)>/i.exec(part)?.[1] ?? to
        inContent = this.answer(part, say)
      }
    })
  }

  /** @returns whether the content is next */
  private answer(command: string, say: (line: string) => void): boolean {
    const verb = command.slice(0, 4).toUpperCase()
    if (verb === 'RCPT' && this.fault === '451 recipient') say('451 later')
    else if (verb === 'RCPT' && this.fault === '550' && command.includes('bad')) say('550 nobody here')
    else if (verb === 'DATA') {
      say('354 go on')
      return true
    } else say(verb === 'QUIT' ? '221 bye' : '250 fine')
    return false
  }

  private take(socket: Socket, mail: ReceivedMail, say: (line: string) => void): void {
    if (this.fault === '452 content') {
      say('452 no room')
      return
    }
    const known = this.received.some(({ to }) => to === mail.to)
    this.received.push(mail)
    if (this.fault === 'cut' && !known) socket.destroy()
    else say('250 taken')
  }
}
