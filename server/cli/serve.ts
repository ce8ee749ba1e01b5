import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from '../http/app.ts'
import type { Config } from '../lib/config.ts'
import { openConfiguredStore } from '../store/open.ts'
import { ensureFirstSuperuser } from './first-superuser.ts'
import { processTerminal } from './terminal.ts'

/** A connection that has not ended by then is cut, and the process ends. */
const STOP_TIMEOUT_MS = 10_000

/**
 * How much the heap may grow between two full garbage collections, in percent. On a machine with much memory V8 allows 300,
 * and objects that survived a burst of requests stay for minutes.
 */
const HEAP_GROWTH_PERCENT = 100

/** Starts the server. It stops on SIGTERM and SIGINT, and at once on a second one. */
export async function serve(config: Config): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  let log: FastifyBaseLogger | undefined
  const store = await openConfiguredStore(config, (error) => log?.warn({ err: error }, 'a database connection broke'))
  const { app, domain, mailer, drain } = await buildApp({ config, store })
  log = app.log

  await ensureFirstSuperuser(domain.operator, config.firstSuperuser, (line) => processTerminal.say(line))

  let stopping = false
  const stop = (): void => {
    if (stopping) process.exit(1)
    stopping = true
    drain()
    setTimeout(() => {
      setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
      void app.close()
    }, config.drainMs)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)

  await app.listen({ host: config.host, port: config.port })
  mailer.start()
  processTerminal.say(`Steward is ready at ${app.listeningOrigin}`)
}
