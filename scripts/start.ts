import { runCommand } from '../server/cli/run-command.ts'
import { buildSpaIfStale } from './build-spa.ts'

buildSpaIfStale()
const parentWatch = stopWithParent()
// In this process, so that signals reach the server itself.
await runCommand(['serve'])
// Where the signal went to the whole process group, whoever started us ends, too: a second one would cut the stop short.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => clearInterval(parentWatch))

/**
 * npm hands a signal to the shell it started us in, and many a shell ends without telling us: the server would go on, and
 * keep its port. So it looks whether whoever started it is still there.
 */
function stopWithParent(): NodeJS.Timeout {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
  return watch
}
