import { runCommand } from '../server/cli/run-command.ts'
import { buildSpaIfStale } from './build-spa.ts'

buildSpaIfStale()
const parentWatch = stopWithParent()
// In this process, so that it receives the signals.
await runCommand(['serve'])
// A signal to the process group also ends the parent, and a second signal from the watch would cut the stop short.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(parentWatch))

/** Stops the server when its parent process has ended, because npm's shell may end without forwarding the signal. */
function stopWithParent(): NodeJS.Timeout {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
  return watch
}
