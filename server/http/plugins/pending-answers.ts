import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import fp from 'fastify-plugin'
import { hashGroup } from '../../lib/network-address.ts'

/** The total size of responses that clients have not read yet. */
const MAX_BYTES = 64 * 1024 * 1024
/** The time for a client to read a response: a minute, plus a second for each 128 KB. */
const timeToReadMs = (bytes: number): number => 60_000 + bytes / 128

interface Pending {
  socket: Socket
  bytes: number
}

interface PendingAnswersOptions {
  maxBytes?: number
  /** In milliseconds. */
  timeToRead?: (bytes: number) => number
}

/**
 * Limits what slow clients cost. A response that is not read in time ends its connection. When too many bytes are
 * pending, the oldest response to the network with the most pending bytes ends its connection.
 */
export const pendingAnswers = fp<PendingAnswersOptions>(async (app, options) => {
  const { maxBytes = MAX_BYTES, timeToRead = timeToReadMs } = options
  const networks = new Map<string, Set<Pending>>()
  let total = 0

  const bytesOf = (answers: Set<Pending>): number => [...answers].reduce((sum, { bytes }) => sum + bytes, 0)

  function remove(network: string, answer: Pending): void {
    const answers = networks.get(network)
    if (!answers?.delete(answer)) return
    total -= answer.bytes
    if (answers.size === 0) networks.delete(network)
  }

  function makeRoom(): void {
    if (total <= maxBytes) return
    const [most] = [...networks].toSorted(([, a], [, b]) => bytesOf(b) - bytesOf(a))
    const [oldest] = most?.[1] ?? []
    if (!most || !oldest) return
    oldest.socket.destroy()
    remove(most[0], oldest)
    makeRoom()
  }

  app.addHook('onSend', async (request, reply, payload) => {
    // Streams go at the client's pace, and their senders limit the time.
    if (payload instanceof Readable) return
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
    const answer = { socket: request.raw.socket, bytes }
    const network = hashGroup(request.ip)
    const timer = setTimeout(() => answer.socket.destroy(), timeToRead(bytes)).unref()
    networks.set(network, (networks.get(network) ?? new Set()).add(answer))
    total += bytes
    reply.raw.once('close', () => {
      clearTimeout(timer)
      remove(network, answer)
    })
    makeRoom()
  })
})
