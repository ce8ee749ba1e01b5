import { createContext } from '../context.ts'
import { type Config, readConfig } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { openConfiguredStore } from '../platform/database/open.ts'
import { findMisspeltSettings } from '../platform/setting-names.ts'
import { runAdminCommand } from './admin.ts'
import { runBackupCommand } from './backup.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { exitCodeOf, explainFailure } from './explain-failure.ts'
import { runRestoreCommand } from './restore.ts'
import { serve } from './serve.ts'
import { sendTestMail } from './test-mail.ts'
import { processTerminal as terminal } from './terminal.ts'

/** `serve` returns when the server has started. The server continues to run. */
const commands: Partial<Record<string, (config: Config, args: string[]) => void | Promise<void>>> = {
  serve,
  admin: (config, args) => {
    const [command, ...more] = args
    if (command === 'copy-to-postgres') return copyToPostgres(config, terminal)
    if (command === 'test-mail') return sendTestMail(more, config, terminal)
    return withContext(config, { create: false }, (context) => runAdminCommand(args, context, terminal))
  },
  backup: (config, args) => runBackupCommand(args, config, terminal),
  restore: (config, args) => runRestoreCommand(args, config, terminal),
}

/** Runs a command on the configured database. @param options.create whether to make tables in an empty database */
export async function withContext(
  config: Config,
  options: { create: boolean },
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const store = await openConfiguredStore(config, (error) => terminal.complain(error.message), options)
  try {
    await work(createContext({ store, config, now: Date.now }))
  } finally {
    await store.close()
  }
}

export async function runCommand([name = '', ...args]: string[]): Promise<void> {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (run) return runWithSettings((config) => run(config, args))
  terminal.complain(`Usage: node server/cli/main.ts ${Object.keys(commands).join(' | ')}`)
  process.exitCode = 2
}

/** Runs a command with the settings of the environment. After an error, it ends the process. */
export async function runWithSettings(run: (config: Config) => void | Promise<void>): Promise<void> {
  for (const warning of findMisspeltSettings(process.env)) terminal.complain(`Warning: ${warning}`)
  try {
    await run(readConfig(process.env))
  } catch (error) {
    terminal.complain(explainFailure(error))
    process.exit(exitCodeOf(error))
  }
}
