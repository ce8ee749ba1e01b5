import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'

const EVERY_MS = 60_000

interface EveryMinuteOptions {
  task: (log: FastifyBaseLogger) => Promise<void>
  /** The log message for a failed task. */
  failure: string
}

/** Runs a task once a minute while the server listens. Each of several servers runs it. */
export const everyMinute = fp<EveryMinuteOptions>(async (app, { task, failure }) => {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  app.addHook('onListen', async () => {
    timer = setInterval(() => {
      task(app.log).catch((error: unknown) => {
        if (!stopping) app.log.error({ err: error }, failure)
      })
    }, EVERY_MS).unref()
  })
  app.addHook('preClose', async () => {
    stopping = true
    clearInterval(timer)
  })
})
