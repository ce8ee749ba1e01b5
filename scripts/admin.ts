// npm run admin -- COMMAND: what the operator does at the machine, on the database that the settings name.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { runAdminCommand, type Terminal } from '../server/admin.ts'
import { type Config, readConfig } from '../server/config.ts'
import { copyToPostgres } from '../server/copy-to-postgres.ts'
import { createDomain } from '../server/domain/domain.ts'
import { explainFailure } from '../server/explain-failure.ts'
import { openConfiguredStore } from '../server/store/open.ts'
import { loadEnv } from './load-env.ts'

const terminal: Terminal = {
  say: (line) => console.log(line),
  complain: (line) => console.error(line),
  async askPassword() {
    const { stdin } = process
    if (stdin.isTTY) process.stderr.write('Password (empty: one is made): ')
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY })
    try {
      for await (const line of lines) return line
      return ''
    } finally {
      lines.close()
      if (stdin.isTTY) process.stderr.write('\n')
    }
  },
}

try {
  loadEnv()
  const config = readConfig(process.env)
  const args = process.argv.slice(2)
  process.exitCode =
    args[0] === 'copy-to-postgres' ? await copyToPostgres(config, terminal) : await operate(config, args)
} catch (error) {
  console.error(explainFailure(error))
  process.exitCode = 1
}

async function operate(config: Config, args: string[]): Promise<number> {
  const store = await openConfiguredStore(config, (error) => terminal.complain(error.message))
  try {
    const { operator } = createDomain({ store, config, now: Date.now })
    return await runAdminCommand(args, operator, terminal)
  } finally {
    await store.close()
  }
}
