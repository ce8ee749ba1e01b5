import fp from 'fastify-plugin'

const EVERY_MS = 60_000

/** Runs a task once a minute while the server listens. Each of several servers runs it. */
export const housekeeping = fp<{ task: () => Promise<void> }>(async (app, { task }) => {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    timer = setInterval(() => {
      task().catch((error: unknown) => app.log.error({ err: error }, 'housekeeping failed'))
    }, EVERY_MS).unref()
  })
  app.addHook('preClose', async () => clearInterval(timer))
})
