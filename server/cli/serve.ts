import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from '../app.ts'
import { type Config, localUrl } from '../platform/config.ts'
import { openConfiguredStore } from '../platform/database/open.ts'
import { DatabaseMoved } from '../platform/database/sqlite-place.ts'
import { prepareFolders } from '../platform/folders.ts'
import { listen, portOf } from '../platform/http/listen.ts'
import { STOP_MS } from '../platform/stop-times.ts'
import { addFirstSuperuser } from './first-superuser.ts'
import { processTerminal } from './terminal.ts'

/** With V8's default of 300, objects that survive a burst of requests stay in memory for minutes. */
const HEAP_GROWTH_PERCENT = 100

/** Starts the server. SIGTERM and SIGINT stop it; a second signal stops it at once. */
export async function serve(config: Config): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  prepareFolders(config)
  let log: FastifyBaseLogger | undefined
  const store = await openConfiguredStore(config, (error) => {
    if (error instanceof DatabaseMoved) log?.error(error.message)
    else log?.warn({ err: error }, 'database connection lost')
  })
  const { app, context, worker, drain } = await buildApp({ config, store })
  log = app.log

  // Without a handler, an error of stdout or stderr, such as a closed pipe, would end the server.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  await addFirstSuperuser(context, (line) => processTerminal.say(line))

  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    drain()
    setTimeout(() => {
      setTimeout(() => process.exit(1), STOP_MS.process).unref()
      void app.close()
    }, config.drainMs)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  await listen(app, config)
  worker.start()
  processTerminal.say(`Steward is ready at ${localUrl(config.host, portOf(app))}`)
}
