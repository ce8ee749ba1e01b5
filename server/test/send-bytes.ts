import { connect, type Socket, type TcpNetConnectOpts } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestApp } from './build-test-app.ts'

const STATUS_LINES = /HTTP\/1\.1 (\d{3}) /g

export const getRequest = (path: string, token = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`

/** Opens a connection until the end of the test. Its errors are ignored. */
export function connectTo(origin: string, options: Partial<TcpNetConnectOpts> = {}): Socket {
  const client = connect({ host: '127.0.0.1', port: Number(new URL(origin).port), ...options })
  client.on('error', () => undefined)
  onTestFinished(() => void client.destroy())
  return client
}

export async function listen({ app }: TestApp) {
  await app.listen({ host: '127.0.0.1', port: 0 })

  /** Reads until the connection closes. If the server keeps it open, a last request with status 404 closes it. */
  return async function send(bytes: string): Promise<{ text: string; statuses: number[] }> {
    const socket = connectTo(app.listeningOrigin)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const begun = new Promise((resolve) => socket.once('data', resolve))
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    socket.write(Buffer.from(bytes, 'latin1'))
    await Promise.race([begun, closed])
    if (!socket.closed) socket.write('GET /the-end.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    await closed
    return { text, statuses: Array.from(text.matchAll(STATUS_LINES), ([, status]) => Number(status)) }
  }
}
