import { createContext } from '../context.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { openConfiguredStore } from '../platform/database/open.ts'
import { findMisspeltSettings } from '../platform/setting-names.ts'
import { runAdminCommand } from './admin.ts'
import { runBackupCommand } from './backup.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { explainFailure } from './explain-failure.ts'
import { runRestoreCommand } from './restore.ts'
import { serve } from './serve.ts'
import { sendTestMail } from './test-mail.ts'
import { processTerminal as terminal, showProgress } from './terminal.ts'

/** Each returns the exit code. The server continues to run after `serve` returns. */
const commands: Partial<Record<string, (config: Config, args: string[]) => number | Promise<number>>> = {
  async serve(config) {
    await serve(config)
    return 0
  },

  admin: (config, args) => {
    const [command, ...more] = args
    if (command === 'copy-to-postgres') return copyToPostgres(config, terminal)
    if (command === 'test-mail') return sendTestMail(more, config, terminal)
    return withContext(config, { create: false }, (context) => runAdminCommand(args, context, terminal))
  },

  backup: (config, args) => runBackupCommand(args, config, terminal),

  restore: (config, args) => runRestoreCommand(args, config, terminal),

  seed: (config, args) =>
    withContext(config, { create: true }, async (context) => {
      // Loaded late, because the demo data's words would delay the start of the server by a tenth.
      const { runSeedCommand } = await import('./seed.ts')
      return runSeedCommand(args, context, { ...terminal, progress: showProgress })
    }),
}

async function withContext(
  config: Config,
  options: { create: boolean },
  work: (context: Context) => Promise<number>,
): Promise<number> {
  const store = await openConfiguredStore(config, (error) => terminal.complain(error.message), options)
  try {
    return await work(createContext({ store, config, now: Date.now }))
  } finally {
    await store.close()
  }
}

/** Runs a command with the settings of the environment, and sets the exit code of the process. */
export async function runCommand([name = '', ...args]: string[]): Promise<void> {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined
  for (const warning of findMisspeltSettings(process.env)) terminal.complain(`Warning: ${warning}`)
  try {
    if (run) process.exitCode = await run(readConfig(process.env), args)
    else {
      terminal.complain(`Usage: node server/cli/main.ts ${Object.keys(commands).join(' | ')}`)
      process.exitCode = 2
    }
  } catch (error) {
    terminal.complain(explainFailure(error))
    process.exit(1)
  }
}
