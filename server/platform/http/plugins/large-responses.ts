import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { isUnavailable } from '../../database/unavailable.ts'
import { subnet } from '../../lib/network-address.ts'

/** The operating system buffers a smaller response as a whole, even if the client does not read it. */
const LARGE_BYTES = 64 * 1024
/** A connection whose client does not read takes one to four megabytes of the operating system's memory. */
const LIMITS = { ofNetwork: 100, ofAccount: 20, inAll: 500, unsentBytes: 128 * 1024 ** 2 }
/** The time for a client to read an answer: a minute, plus a second for each 64 KB. */
const timeToReadMs = (bytes: number): number => 60_000 + bytes / 64
const CHECK_EVERY_MS = 2_000

interface Options {
  accountOf: (request: FastifyRequest) => string | undefined
  /** Throws when the session or token of the request has ended. */
  requireLiveSession: (request: FastifyRequest) => Promise<void>
  limits?: Partial<typeof LIMITS>
}

interface Reader {
  network: string
  account: string | undefined
}

/**
 * Limits large responses that clients do not read. Closes a connection if the client is slow or its session ends. With
 * too many large responses, closes the oldest connection, preferably one whose response is written: the operating
 * system does not tell whether the client has read it.
 */
export const largeResponses = fp<Options>(async (app, { accountOf, requireLiveSession, limits: given }) => {
  const limits = { ...LIMITS, ...given }
  /** The connections with a large response, in the order in which the responses began. */
  const readers = new Map<Socket, Reader>()
  const responses = new WeakMap<Socket, FastifyReply['raw']>()

  const isBusy = (socket: Socket): boolean => responses.get(socket)?.closed === false

  function close(sockets: readonly Socket[]): void {
    const socket = sockets.find((one) => !isBusy(one)) ?? sockets[0]
    if (!socket) return
    readers.delete(socket)
    socket.destroy()
  }

  const socketsOf = (isOf: (reader: Reader, socket: Socket) => boolean): Socket[] =>
    [...readers].flatMap(([socket, reader]) => (isOf(reader, socket) ? [socket] : []))

  /** The sockets of the account or network whose sockets have the largest sum of `sizeIn`. */
  function largest(sizeIn: (socket: Socket) => number): Socket[] {
    const groups = Map.groupBy(readers.keys(), (socket) => {
      const reader = readers.get(socket)
      return reader?.account ?? reader?.network
    })
    const sizes = [...groups.values()].map((sockets) => ({
      sockets: sockets.filter((socket) => sizeIn(socket) > 0),
      size: sockets.reduce((sum, socket) => sum + sizeIn(socket), 0),
    }))
    return sizes.toSorted((one, other) => other.size - one.size)[0]?.sockets ?? []
  }

  function keepLimits({ network, account }: Reader): void {
    const ofNetwork = socketsOf((reader) => reader.network === network)
    if (ofNetwork.length > limits.ofNetwork) close(ofNetwork)
    const ofAccount = socketsOf((reader) => account !== undefined && reader.account === account)
    if (ofAccount.length > limits.ofAccount) close(ofAccount)
    if (readers.size > limits.inAll) close(largest(() => 1))
    const unsent = (): number => [...readers.keys()].reduce((sum, { writableLength }) => sum + writableLength, 0)
    while (unsent() > limits.unsentBytes) close(largest(({ writableLength }) => writableLength))
  }

  function watch(request: FastifyRequest, response: FastifyReply['raw'], bytes: number): void {
    const cut = (): void => void response.destroy()
    const timer = setTimeout(cut, timeToReadMs(bytes))
    const check = setInterval(() => {
      requireLiveSession(request).catch((error: unknown) => {
        // A short outage of the database does not end a download.
        if (!isUnavailable(error)) cut()
      })
    }, CHECK_EVERY_MS)
    response.once('close', () => {
      clearTimeout(timer)
      clearInterval(check)
    })
  }

  app.addHook('onRequest', async ({ raw }, reply) => void responses.set(raw.socket, reply.raw))
  app.addHook('onSend', async (request, reply, payload) => {
    const { socket } = request.raw
    const bytes = sizeOf(reply, payload)
    // Requests of tests (`inject`) have no socket.
    if (request.method === 'HEAD' || bytes <= LARGE_BYTES || !(socket instanceof Socket)) return
    watch(request, reply.raw, bytes)
    const reader = { network: subnet(request.ip), account: accountOf(request) }
    if (!readers.delete(socket)) socket.once('close', () => readers.delete(socket))
    readers.set(socket, reader)
    keepLimits(reader)
  })
})

/** Returns 0 for a stream of events, which has no known size and limits of its own. */
function sizeOf(reply: FastifyReply, payload: unknown): number {
  const length = reply.getHeader('content-length')
  if (length !== undefined) return Number(length)
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
}
