import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installWithApt, pathOf } from '../../scripts/install-with-apt.ts'
import { isTaken } from '../../scripts/ports.ts'
import { exitOf } from '../../tests/support/running-server.ts'

export interface Place {
  folder: string
  certificate: string
  key: string
  httpPort: number
  httpsPort: number
  ports: number[]
}

/** Starts nginx with the example of docs/deploy.md, adapted to the machine. */
export async function startNginx({ folder, certificate, key, httpPort, httpsPort, ports }: Place): Promise<Proxy> {
  const example = adapt(readExample('nginx'), [
    ['server 127.0.0.1:8000 max_fails=0;', ports.map((port) => `server 127.0.0.1:${port} max_fails=0;`).join(' ')],
    ['listen 80;', `listen ${httpPort};`],
    ['listen 443 ssl http2;', `listen ${httpsPort} ssl http2;`],
    ['steward.example.com', 'localhost'],
    ['/var/log/nginx/steward.log', join(folder, 'access.log')],
    ['/etc/ssl/steward.pem', certificate],
    ['/etc/ssl/private/steward.key', key],
  ])
  const config = join(folder, 'nginx.conf')
  const main = `pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {} `
  writeFileSync(config, `${main} http {\n${example}\n}`)
  return start('nginx', ['-p', folder, '-c', config, '-g', 'daemon off;'], httpsPort)
}

/** Starts Caddy with the example of docs/deploy.md for several servers, adapted to the machine. */
export async function startCaddy({ folder, certificate, key, httpPort, httpsPort, ports }: Place): Promise<Proxy> {
  const example = adapt(readExample('caddy', 'lb_try_duration'), [
    ['steward.example.com {', `localhost {\n\ttls ${certificate} ${key}`],
    ['10.0.0.11:8000 10.0.0.12:8000', ports.map((port) => `127.0.0.1:${port}`).join(' ')],
  ])
  const data = join(folder, 'data')
  mkdirSync(data)
  const config = join(folder, 'Caddyfile')
  const options = ['admin off', `http_port ${httpPort}`, `https_port ${httpsPort}`, `storage file_system ${data}`]
  writeFileSync(config, `{\n\t${options.join('\n\t')}\n}\n${example}`)
  return start('caddy', ['run', '--adapter', 'caddyfile', '--config', config], httpsPort)
}

function readExample(language: string, word = ''): string {
  const blocks = readFileSync('docs/deploy.md', 'utf8').matchAll(/^```(\w+)\n([^]*?)^```$/gm)
  for (const [, of, text = ''] of blocks) if (of === language && text.includes(word)) return text
  throw new Error(`docs/deploy.md has no such example of ${language}`)
}

function adapt(text: string, changes: [from: string, to: string][]): string {
  let adapted = text
  for (const [from, to] of changes) {
    if (!adapted.includes(from)) throw new Error(`The example no longer contains: ${from}`)
    adapted = adapted.replaceAll(from, to)
  }
  return adapted
}

export interface Proxy {
  stop(): Promise<void>
}

async function start(command: string, args: string[], port: number): Promise<Proxy> {
  if (pathOf(command) === undefined && !installWithApt(command)) throw new Error(`Install ${command} first`)
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  while (!(await isTaken(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended:\n${output}`)
    await sleep(100)
  }
  return {
    async stop() {
      child.kill('SIGTERM')
      await exitOf(child)
    },
  }
}
