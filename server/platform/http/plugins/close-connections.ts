import type { ServerResponse } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { STOP_MS } from '../../stop-times.ts'

/** Closes connections when the server stops. Idle ones stay open for a second, because a request may be on its way. */
export const closeConnections = fp<{ endWork: () => void }>(async (app, { endWork }) => {
  const responses = new Set<ServerResponse>()
  const timers: NodeJS.Timeout[] = []
  let closing = false

  function cutUnlessDownloading(): void {
    const [downloads = [], others = []] = [true, false].map((isSent) =>
      [...responses].filter(({ headersSent }) => headersSent === isSent),
    )
    if (downloads.length === 0) app.server.closeAllConnections()
    else for (const response of others) response.destroy()
  }

  app.addHook('onRequest', async (_request, { raw }) => {
    responses.add(raw)
    raw.once('close', () => responses.delete(raw))
  })
  app.addHook('preClose', async () => {
    closing = true
    timers.push(
      setTimeout(endWork, STOP_MS.longWork),
      setTimeout(cutUnlessDownloading, STOP_MS.waitingConnections),
      setTimeout(() => app.server.closeAllConnections(), STOP_MS.connections),
    )
    for (const timer of timers) timer.unref()
    if (!app.server.listening) return
    await sleep(STOP_MS.listening)
    const { promise: allEnded, resolve } = Promise.withResolvers<void>()
    // The `close` of the HTTP server closes idle connections at once. Fastify calls it afterwards.
    Server.prototype.close.call(app.server, () => resolve())
    await Promise.race([allEnded, sleep(STOP_MS.idleConnections - STOP_MS.listening)])
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
})
