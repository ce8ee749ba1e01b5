import { CommandFailed } from '../../server/cli/explain-failure.ts'
import { runWithSettings, withContext } from '../../server/cli/run-command.ts'
import { processTerminal } from '../../server/cli/terminal.ts'
import { showProgress } from './progress.ts'

const terminal = { ...processTerminal, progress: showProgress }
const args = process.argv.slice(2)

await runWithSettings(async (config) => {
  // Imported late, because production installations lack the package that invents names.
  const { runSeedCommand } = await import('./seed.ts').catch(explainMissingPackage)
  await withContext(config, { create: true }, (context) => runSeedCommand(args, context, terminal))
})

function explainMissingPackage(error: unknown): never {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
  throw new CommandFailed('Demo data needs the development packages. Install them with: npm ci --include=dev')
}
