import type { ServerResponse } from 'node:http'
import { setImmediate as nextIteration } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFairQueue } from '../lib/fair-queue.ts'

/** Lists of one account that are read or sent, and of all accounts that wait. */
const PER_ACCOUNT = 4
const MAX_WAITING = 128
/** The time for a client to read a list. */
const SEND_MS = 5 * 60_000
/** Lists in memory that clients have not read. A page has at most 100 items, which are 6 MB. */
const MAX_UNSENT_BYTES = 128 * 1024 ** 2

export type Acquire = ReturnType<typeof createListQueue>

/**
 * Limits the lists that an account reads at a time, until the client has read the response: a page of long texts takes
 * megabytes of memory. If those of all accounts take too much, the oldest of the account with most is cut.
 */
export function createListQueue({ maxUnsentBytes = MAX_UNSENT_BYTES } = {}) {
  const queue = createFairQueue({ parallel: Infinity, perGroup: PER_ACCOUNT, maxWaiting: MAX_WAITING })
  /** The responses of lists and their accounts, the oldest first. */
  const sending = new Map<ServerResponse, string>()
  let lastStart: Promise<unknown> = Promise.resolve()

  /** @returns whether it cut a response */
  function cutOne(): boolean {
    const unsent = new Map<string, number>()
    let total = 0
    for (const [{ writableLength }, account] of sending) {
      total += writableLength
      unsent.set(account, (unsent.get(account) ?? 0) + writableLength)
    }
    if (total <= maxUnsentBytes) return false
    const most = Math.max(...unsent.values())
    const [response] =
      [...sending].find(([{ writableLength }, account]) => {
        return writableLength > 0 && unsent.get(account) === most
      }) ?? []
    if (!response) return false
    sending.delete(response)
    response.destroy()
    return true
  }

  /** Lists start one by one, with other requests in between, as a page of long texts takes tens of milliseconds. */
  async function waitForStart(): Promise<void> {
    const before = lastStart
    lastStart = before.then(() => nextIteration())
    await before
  }

  /** @throws DomainError `busy` when too many wait */
  return async function acquire(accountId: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const release = await queue.acquire(accountId, request.signal)
    const timer = setTimeout(() => reply.raw.destroy(), SEND_MS).unref()
    const end = (): void => {
      clearTimeout(timer)
      sending.delete(reply.raw)
      release()
    }
    if (reply.raw.closed) end()
    else {
      sending.set(reply.raw, accountId)
      reply.raw.once('close', end)
    }
    await waitForStart()
    while (cutOne());
  }
}
