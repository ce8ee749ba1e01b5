// npm run seed -- [ARGUMENTS…]
import { runWithSettings, withContext } from '../../server/cli/run-command.ts'
import { processTerminal } from '../../server/cli/terminal.ts'
import { showProgress } from './progress.ts'
import { runSeedCommand } from './seed.ts'

const terminal = { ...processTerminal, progress: showProgress }
const args = process.argv.slice(2)

await runWithSettings((config) =>
  withContext(config, { create: true }, (context) => runSeedCommand(args, context, terminal)),
)
