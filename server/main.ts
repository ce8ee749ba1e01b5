import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { buildApp } from './app.ts'
import { readConfig } from './config.ts'
import { explainFailure } from './explain-failure.ts'
import { ensureFirstSuperuser } from './first-superuser.ts'
import { openConfiguredStore } from './store/open.ts'

/** A connection that has not ended by then is cut, and the process leaves all the same. */
const STOP_TIMEOUT_MS = 10_000

/**
 * Of what a full garbage collection leaves in the heap, how much may be added before the next, in percent. On a machine with
 * much memory V8 lets it be 300, and what was promoted in a storm stays for minutes.
 */
const HEAP_GROWTH_PERCENT = 100
// Here, so that it holds however the process was started.
setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)

async function main(): Promise<void> {
  const config = readConfig(process.env)
  let log: FastifyBaseLogger | undefined
  const store = await openConfiguredStore(config, (error) => log?.warn({ err: error }, 'a database connection broke'))
  const { app, domain, mailer, drain } = await buildApp({ config, store })
  log = app.log

  await ensureFirstSuperuser(domain.operator, config.firstSuperuser, say)

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
  say(`Steward is ready at ${app.listeningOrigin}`)
}

/** For the person at the terminal, and not part of the log. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
}
