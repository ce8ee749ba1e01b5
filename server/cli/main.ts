// node server/cli/main.ts COMMAND [ARGUMENTS…]
import { runCommand } from './run-command.ts'

await runCommand(process.argv.slice(2))
