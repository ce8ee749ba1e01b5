import { concurrently } from 'concurrently'

/** Runs the server, which restarts when its files change, and Vite as its proxy. When one ends, so does the other. */
const { result } = concurrently(
  [
    { name: 'server', command: 'node --watch --watch-preserve-output server/cli/main.ts serve', prefixColor: 'green' },
    { name: 'vite', command: 'vite', prefixColor: 'cyan' },
  ],
  { killOthersOn: ['failure', 'success'] },
)
await result.catch(() => (process.exitCode = 1))
