import { createDomain, type Domain } from '../domain/domain.ts'
import { type Config, readConfig } from '../lib/config.ts'
import { createMailTemplates } from '../mail/templates.ts'
import { openConfiguredStore } from '../store/open.ts'
import { runAdminCommand } from './admin.ts'
import { runBackupCommand } from './backup.ts'
import { copyToPostgres } from './copy-to-postgres.ts'
import { explainFailure } from './explain-failure.ts'
import { runRestoreCommand } from './restore.ts'
import { serve } from './serve.ts'
import { processTerminal as terminal, showProgress } from './terminal.ts'

/** Each returns the exit code. The server continues to run after `serve` returns. */
const commands: Partial<Record<string, (config: Config, args: string[]) => number | Promise<number>>> = {
  async serve(config) {
    await serve(config)
    return 0
  },

  admin: (config, args) =>
    args[0] === 'copy-to-postgres'
      ? copyToPostgres(config, terminal)
      : withDomain(config, ({ operator }) => {
          const { product, publicUrl } = config
          const invitationUrl =
            publicUrl === undefined
              ? undefined
              : createMailTemplates({ product, publicUrl: () => publicUrl }).invitationUrl
          return runAdminCommand(args, { operator, terminal, invitationUrl })
        }),

  backup: (config, args) => runBackupCommand(args, config, terminal),

  restore: (config, args) => runRestoreCommand(args, config, terminal),

  seed: (config, args) =>
    withDomain(config, async ({ operator, passwords }, store) => {
      // Loaded late, because the demo data's words would delay the start of the server by a tenth.
      const { runSeedCommand } = await import('./seed.ts')
      return runSeedCommand(args, { operator, passwords, store, config }, { ...terminal, progress: showProgress })
    }),
}

async function withDomain(
  config: Config,
  work: (domain: Domain, store: Awaited<ReturnType<typeof openConfiguredStore>>) => Promise<number>,
): Promise<number> {
  const store = await openConfiguredStore(config, (error) => terminal.complain(error.message))
  try {
    return await work(createDomain({ store, config, now: Date.now }), store)
  } finally {
    await store.close()
  }
}

/** Runs a command with the settings of the environment, and sets the exit code of the process. */
export async function runCommand([name = '', ...args]: string[]): Promise<void> {
  const run = Object.hasOwn(commands, name) ? commands[name] : undefined
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
