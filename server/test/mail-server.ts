import { once } from 'node:events'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface Received {
  to: string[]
  from: string
  /** The name that the client gave in EHLO. */
  ehlo: string
  raw: string
}

/** @param contents is called for each mail, and may return an error to refuse it, or disconnect after accepting it */
export async function startMailServer(
  options: Partial<SMTPServerOptions> = {},
  contents: () => Error | 'disconnect' | undefined = () => undefined,
) {
  const received: Received[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const fault = contents()
        if (fault instanceof Error) return done(fault)
        const { mailFrom, rcptTo } = session.envelope
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom === false ? '' : mailFrom.address,
          ehlo: session.hostNameAppearsAs,
          raw: Buffer.concat(chunks).toString(),
        })
        if (fault) for (const connection of server.connections) connection.close()
        else done()
      })
    },
    ...options,
  })
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const address = server.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { received, url: `smtp://127.0.0.1:${port}`, port, server }
}
