import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Place {
  host: string
  port: number
}

type Prefix = '' | 'METRICS_'

/** Why a server cannot listen, in a sentence for the operator. */
export class ListenFailure extends Error {
  override name = 'ListenFailure'

  constructor(cause: unknown, { host, port }: Place, prefix: Prefix = '') {
    const { code = 'unknown', address = host } = cause as NodeJS.ErrnoException & { address?: string }
    super(describe(code, address, { host, port }, prefix), { cause })
  }
}

function describe(code: string, address: string, { host, port }: Place, prefix: Prefix): string {
  const change = `set ${prefix}PORT to another port.`
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. If Steward is not running there, ${change}`
  if (code === 'EACCES') return `This user may not listen on port ${port}: ${change}`
  if (/^(EADDRNOTAVAIL|EAFNOSUPPORT|EINVAL|ENOTFOUND|EAI_\w+)$/.test(code))
    return `${prefix}HOST: ${host} is no address of this machine, such as 127.0.0.1 or, for all of them, 0.0.0.0`
  return `Cannot listen on ${prefix}HOST ${host}, ${prefix}PORT ${port}: ${code}`
}

const LOOPBACK = ['127.0.0.1', '::1'] as const

/**
 * Listens on an address. `localhost` means both loopback addresses, because browsers choose either. Fastify would make
 * a second HTTP server for the other address, without our handlers and the orderly stop of `closeConnections`.
 * @throws ListenFailure when the address or port cannot be used
 */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<void> {
  try {
    await listenOnAll(app, { host, port })
  } catch (error) {
    const { syscall = '' } = error as NodeJS.ErrnoException
    throw ['listen', 'bind', 'getaddrinfo'].includes(syscall) ? new ListenFailure(error, { host, port }) : error
  }
}

async function listenOnAll(app: FastifyInstance, { host, port }: Place): Promise<void> {
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

export function portOf({ server }: FastifyInstance): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function isAbsent(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
}
