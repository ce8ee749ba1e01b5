// npm run seed -- --users 1000 --items 5000: demo data in the database that the settings name, beside a running server or without.
import { readConfig } from '../server/config.ts'
import { createDomain } from '../server/domain/domain.ts'
import type { Progress } from '../server/domain/demo.ts'
import { explainFailure } from '../server/explain-failure.ts'
import { runSeedCommand } from '../server/seed.ts'
import { openConfiguredStore } from '../server/store/open.ts'
import { loadEnv } from './load-env.ts'

const PROGRESS_EVERY = 50_000

/** One line that is written over at a terminal; in a file, a line now and then. Little data needs none. */
const progress: Progress = (what, done, of) => {
  const line = `${what}: ${done} of ${of}`
  if (of < PROGRESS_EVERY) return
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${done === of ? '\n' : ''}`)
  else if (done % PROGRESS_EVERY === 0 || done === of) process.stderr.write(`${line}\n`)
}

try {
  loadEnv()
  const config = readConfig(process.env)
  const store = await openConfiguredStore(config, (error) => console.error(error.message))
  try {
    const domain = createDomain({ store, config, now: Date.now })
    const terminal = { say: console.log, complain: console.error, progress }
    process.exitCode = await runSeedCommand(process.argv.slice(2), { domain, config }, terminal)
  } finally {
    await store.close()
  }
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}
