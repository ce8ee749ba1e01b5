import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const RETRY_MS = 50

export async function isTaken(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}

export async function waitForPort(port: number, ms: number): Promise<void> {
  const end = performance.now() + ms
  while (!(await isTaken(port)) && performance.now() < end) await sleep(RETRY_MS)
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('There is no port')
  return address.port
}
