import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTransport } from '../platform/mail/transports.ts'

const mail = { to: 'ada@example.com', kind: 'test', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** A mail server that sends the given replies, and never closes a connection. */
async function startMailServer(respond: (client: Socket, line: string) => void, sendMs?: number) {
  const reached = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const server = createServer((client) => {
    client.on('error', () => undefined)
    client.on('close', () => closed.resolve())
    client.on('data', (data) => {
      respond(client, data.toString())
      reached.resolve()
    })
    client.write('220 Welcome\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as { port: number }
  const smtpUrl = `smtp://127.0.0.1:${port}`
  const transport = createTransport({
    smtpUrl,
    from: { name: '', address: 'steward@example.com' },
    outbox: '',
    ...(sendMs && { sendMs }),
  })
  return { reached: reached.promise, closed: closed.promise, transport }
}

/** Sends one character after the other, and never ends the line. */
function sendSlowly(client: Socket): void {
  const timer = setInterval(() => client.write('2'), 20)
  client.on('close', () => clearInterval(timer))
}

const replies: Record<string, string | undefined> = {
  EHLO: '250 OK',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go on',
}

function reply(client: Socket, line: string): void {
  const text = replies[line.slice(0, 4)]
  if (text === undefined) sendSlowly(client)
  else client.write(`${text}\r\n`)
}

describe('a mail server that never ends its reply', () => {
  test.each([
    ['to the greeting', sendSlowly],
    ['to a mail', reply],
  ])('%s: the connection is closed at the time limit', async (_what, respond) => {
    const { closed, transport } = await startMailServer(respond, 300)
    await expect(transport.send(mail)).rejects.toThrow(Error)
    await closed
  })

  test('does not delay the stop', async () => {
    const { reached, closed, transport } = await startMailServer(reply)
    const sent = Promise.allSettled([transport.send(mail)])
    await reached
    transport.close()
    await closed
    expect(await sent).toMatchObject([{ status: 'rejected' }])
  })
})
