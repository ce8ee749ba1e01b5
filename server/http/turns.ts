import { setImmediate as nextTurnOfTheLoop } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue } from '../domain/fair-queue.ts'
import { actorOf } from './auth.ts'

/** Lists of one account that are read or sent, and of all accounts that wait. */
const PER_ACCOUNT = 4
const MAX_WAITING = 128
/** The time for a client to read a list. */
const SEND_MS = 5 * 60_000

export type TakeTurn = ReturnType<typeof createTurns>

/**
 * Limits the lists that an account reads at a time, until the client has read the response: a page of long texts takes
 * megabytes of memory.
 */
export function createTurns() {
  const queue = createFairQueue({ parallel: Infinity, perGroup: PER_ACCOUNT, maxWaiting: MAX_WAITING })
  let lastStart: Promise<unknown> = Promise.resolve()

  /** Lists start one by one, with other requests in between, as a page of long texts takes tens of milliseconds. */
  async function waitForStart(): Promise<void> {
    const before = lastStart
    lastStart = before.then(() => nextTurnOfTheLoop())
    await before
  }

  /** @returns the actor @throws DomainError `busy` when too many wait */
  return async function takeTurn(request: FastifyRequest, reply: FastifyReply) {
    const actor = actorOf(request)
    const leave = await queue.enter(actor.user.id, request.signal)
    const timer = setTimeout(() => reply.raw.destroy(), SEND_MS).unref()
    const end = (): void => {
      clearTimeout(timer)
      leave()
    }
    if (reply.raw.closed) end()
    else reply.raw.once('close', end)
    await waitForStart()
    return actor
  }
}
