import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'

const EVERY_MS = 60_000

interface EveryMinuteOptions {
  /** Runs tasks, and reports those that fail. */
  run: (log: FastifyBaseLogger, onFailure: (error: unknown, task: string) => void) => Promise<void>
}

/** Runs tasks once a minute while the server listens. Each of several servers runs them. */
export const everyMinute = fp<EveryMinuteOptions>(async (app, { run }) => {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  function onFailure(error: unknown, task: string): void {
    if (!stopping) app.log.error({ err: error }, `${task} failed`)
  }
  app.addHook('onListen', async () => {
    timer = setInterval(() => void run(app.log, onFailure), EVERY_MS).unref()
  })
  app.addHook('preClose', async () => {
    stopping = true
    clearInterval(timer)
  })
})
