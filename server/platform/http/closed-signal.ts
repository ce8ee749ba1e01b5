import type { FastifyReply } from 'fastify'

/**
 * Aborts when the connection closes or the response is sent. Fastify aborts its own signal as soon as a body was read.
 */
export function closedSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  if (raw.closed) closed.abort()
  return closed.signal
}
