import type { FastifyInstance } from 'fastify'

const EVERY_MS = 60_000

/** Now and then while the server listens. Of several servers each does it: the second finds nothing left. */
export function scheduleHousekeeping(app: FastifyInstance, tidyUp: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined
  app.addHook('onListen', async () => {
    timer = setInterval(() => {
      tidyUp().catch((error: unknown) => app.log.error({ err: error }, 'could not tidy up'))
    }, EVERY_MS).unref()
  })
  app.addHook('preClose', async () => clearInterval(timer))
}
