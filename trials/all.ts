// npm run trial runs the trials one after the other. It leaves out trial:timing, which can fail by chance.
import { spawnSync } from 'node:child_process'

const MINUTES_AT_MOST = 10
const trials = ['kill', 'power', 'backup', 'tls', 'load', 'servers', 'proxies']

const failed = trials.filter((name) => {
  const { status } = spawnSync(process.execPath, [`trials/${name}.ts`], {
    stdio: 'inherit',
    timeout: MINUTES_AT_MOST * 60_000,
  })
  return status !== 0
})
console.log(failed.length === 0 ? '\nAll promises hold' : `\nBroken promises: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
