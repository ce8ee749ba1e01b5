import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Context } from '../context.ts'
import { STOP_MS } from '../stop-times.ts'
import { type Job, MINUTE, runIfDue } from './job.ts'

export function createWorker(context: Context, jobs: readonly Job[], log: FastifyBaseLogger) {
  const stopping = new AbortController()
  const { signal } = stopping
  let running: Promise<unknown> = Promise.resolve()

  async function repeat(job: Job): Promise<void> {
    // A random pause keeps jobs from starting at the same time.
    const pause = () => Math.min(job.everyMs, MINUTE) * (0.5 + Math.random())
    for (;;) {
      await sleep(pause(), undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      await runIfDue(context, job, signal).catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error, job: job.name }, `${job.name} failed`)
      })
    }
  }

  return {
    start(): void {
      running = Promise.all(jobs.map(repeat))
    },

    /** Starts no more jobs, and waits a while for running ones. */
    async stop(): Promise<void> {
      stopping.abort()
      await Promise.race([running, sleep(STOP_MS.jobs, undefined, { ref: false })])
    },
  }
}
