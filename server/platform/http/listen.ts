import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

const LOOPBACK = ['127.0.0.1', '::1'] as const

/**
 * Listens on an address. `localhost` is both loopback addresses: browsers choose either. Fastify would make a second
 * HTTP server for the other one, without our handlers and the orderly stop of `closeConnections`.
 * @throws Error when the port is in use
 */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<void> {
  if (host !== 'localhost') return void (await app.listen({ host, port }))
  const [first, second] = LOOPBACK
  const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket: Socket) => {
    app.server.emit('connection', socket)
  })
  app.addHook('preClose', async () => void other.close())
  await app.listen({ host: first, port })
  try {
    other.listen({ host: second, port: portOf(app) })
    await once(other, 'listening')
  } catch (error) {
    if (!isAbsent(error)) {
      await app.close()
      throw error
    }
  }
}

/** The port that the server listens on; 0 before it does. */
export function portOf({ server }: FastifyInstance): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Whether this machine has no IPv6. */
function isAbsent(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
