import type { FastifyInstance } from 'fastify'

/** From the moment of stopping every answer ends its connection: one that is kept alive would hold the stop up. */
export function closeConnections(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
