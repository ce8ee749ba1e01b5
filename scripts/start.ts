import { runCommand } from '../server/cli/run-command.ts'
import { buildSpaIfStale } from './build-spa.ts'

buildSpaIfStale()
const parentWatch = stopWithParent()
await runCommand(['serve'])
// A signal may also end the parent. The watch would then send a second one, which would stop the server abruptly.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(parentWatch))

/** Stops the server when its parent has ended, because the shell of npm may end without forwarding the signal. */
function stopWithParent(): NodeJS.Timeout {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
  return watch
}
