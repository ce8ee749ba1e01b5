import { spawn } from 'node:child_process'
import { once } from 'node:events'

export function startDev(args: string[], settings: Record<string, string> = {}, cwd = '.') {
  const dev = spawn(process.execPath, ['scripts/dev.ts', ...args], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, ...settings },
  })
  let output = ''
  for (const stream of [dev.stdout, dev.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    process: dev,
    output: () => output,
    stop: async () => {
      dev.kill('SIGTERM')
      await once(dev, 'exit')
    },
  }
}
