import { buildSpaIfStale } from './build-spa.ts'
import { loadEnv } from './load-env.ts'

loadEnv()
buildSpaIfStale()
stopWithParent()
// In this process, so that signals reach the server itself.
await import('../server/main.ts')

/**
 * npm hands a signal to the shell it started us in, and many a shell ends without telling us: the server would go on, and
 * keep its port. So it looks whether whoever started it is still there.
 */
function stopWithParent(): void {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    process.kill(process.pid, 'SIGTERM')
  }, 250).unref()
}
