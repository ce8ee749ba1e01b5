import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue } from '../lib/fair-queue.ts'
import { LISTS } from '../queues.ts'

/** Limits the lists that an account reads at a time. A list counts until the client has read it. */
export function createListQueue() {
  const queue = createFairQueue(LISTS)
  let lastStart: Promise<unknown> = Promise.resolve()

  /** A page of long texts takes tens of milliseconds, so lists start one by one, with other requests in between. */
  async function waitForStart(): Promise<void> {
    const before = lastStart
    lastStart = before.then(() => nextIteration())
    await before
  }

  /** @throws DomainError `busy` when too many wait */
  return async function acquire(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const release = await queue.acquire(accountId, request.signal)
    if (reply.raw.closed) release()
    else reply.raw.once('close', release)
    await waitForStart()
  }
}
