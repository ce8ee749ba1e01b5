import { concurrently } from 'concurrently'

/** The server, which starts again when one of its files changes, and Vite in front of it. Both end together. */
const { result } = concurrently(
  [
    { name: 'server', command: 'node --watch --watch-preserve-output server/cli/main.ts serve', prefixColor: 'green' },
    { name: 'vite', command: 'vite', prefixColor: 'cyan' },
  ],
  { killOthersOn: ['failure', 'success'] },
)
await result.catch(() => (process.exitCode = 1))
