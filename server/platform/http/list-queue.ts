import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue } from '../lib/fair-queue.ts'
import { closedSignal } from './closed-signal.ts'

/** Lists of one account that are read or sent, and of all accounts that wait. */
const PER_ACCOUNT = 4
const MAX_WAITING = 128

export type Acquire = ReturnType<typeof createListQueue>

/**
 * Limits the lists that an account reads at a time, until the client has read the response: a page of long texts takes
 * megabytes of memory.
 */
export function createListQueue() {
  const queue = createFairQueue({ parallel: Infinity, perGroup: PER_ACCOUNT, maxWaiting: MAX_WAITING })
  let lastStart: Promise<unknown> = Promise.resolve()

  /** Lists start one by one, with other requests in between, as a page of long texts takes tens of milliseconds. */
  async function waitForStart(): Promise<void> {
    const before = lastStart
    lastStart = before.then(() => nextIteration())
    await before
  }

  /** @throws DomainError `busy` when too many wait */
  return async function acquire(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const release = await queue.acquire(accountId, request.signal)
    const closed = closedSignal(reply)
    if (closed.aborted) release()
    else closed.addEventListener('abort', release)
    await waitForStart()
  }
}
