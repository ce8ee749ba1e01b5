import { type ChildProcess, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** A file operation or a sent text of a program. Paths are absolute. */
export type Operation =
  | { kind: 'create' | 'mkdir' | 'unlink'; path: string }
  | { kind: 'write'; path: string; offset: number | undefined; data: Buffer }
  | { kind: 'truncate'; path: string; length: number }
  | { kind: 'rename' | 'link'; path: string; to: string }
  /** Only the operations before the call are certain to be synced. `begun` is their number. */
  | { kind: 'sync'; path: string; begun: number }
  | { kind: 'send'; text: string }

const TRACED =
  'openat,write,pwrite64,writev,pwritev,ftruncate,fallocate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,fsync,fdatasync'

export function spawnRecorded(log: string, args: string[], env: Record<string, string>): ChildProcess {
  const strace = ['-f', '--seccomp-bpf', '-y', '-xx', '-s', '100000000', '-e', `trace=${TRACED}`, '-o', log]
  return spawn('strace', [...strace, process.execPath, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
}

/** Reads a log of `spawnRecorded`. @returns operations on files below `root`, and sent texts, in order */
export async function readOperations(log: string, root: string): Promise<Operation[]> {
  const operations: Operation[] = []
  const add = (found: Operation[]): void => {
    operations.push(...found.filter((one) => one.kind === 'send' || one.path.startsWith(root)))
  }
  const unfinished = new Map<string, { text: string; begun: number }>()
  for await (const line of createInterface({ input: createReadStream(log, 'latin1') })) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)
    const before = resumed ? unfinished.get(thread) : undefined
    if (text.endsWith('<unfinished ...>')) {
      const call = text.slice(0, -'<unfinished ...>'.length).trimEnd()
      // The data may reach the disk or the client before the call returns.
      const [early] = call.startsWith('write') || call.startsWith('pwrite') ? parse(`${call}) = 0`, 0) : []
      if (early) add([early])
      else unfinished.set(thread, { text: call, begun: operations.length })
      continue
    }
    if (resumed && !before) continue
    unfinished.delete(thread)
    const call = before ? `${before.text}${resumed?.[1] ?? ''}` : text
    add(parse(call, before?.begun ?? operations.length))
  }
  return operations
}

const decode = (hex: string): Buffer => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

function parse(call: string, begun: number): Operation[] {
  const [, name = '', rest = '', result = ''] = /^(\w+)\((.*)\) += (-?\d+)/.exec(call) ?? []
  if (name === '' || result.startsWith('-')) return []
  const given = Array.from(rest.matchAll(/"((?:\\x..)*)"/g), ([, hex = '']) => decode(hex))
  const [path = '', to = ''] = given.map(String)
  const file = decode(/^\d+<((?:\\x..)*)>/.exec(rest)?.[1] ?? '').toString()
  const data = Buffer.concat(given)
  switch (name) {
    case 'openat': {
      const created: Operation[] = rest.includes('O_CREAT') ? [{ kind: 'create', path }] : []
      return rest.includes('O_TRUNC') ? [...created, { kind: 'truncate', path, length: 0 }] : created
    }
    case 'write':
    case 'writev':
      if (file.startsWith('socket:')) return [{ kind: 'send', text: data.toString('latin1') }]
      return [{ kind: 'write', path: file, offset: undefined, data }]
    case 'pwrite64':
    case 'pwritev':
      return [{ kind: 'write', path: file, offset: Number(/, (\d+)$/.exec(rest)?.[1]), data }]
    case 'ftruncate':
      return [{ kind: 'truncate', path: file, length: Number(/, (\d+)$/.exec(rest)?.[1]) }]
    case 'rename':
    case 'renameat':
    case 'renameat2':
      return [{ kind: 'rename', path, to }]
    case 'link':
    case 'linkat':
      return [{ kind: 'link', path, to }]
    case 'unlink':
    case 'unlinkat':
      return [{ kind: 'unlink', path }]
    case 'mkdir':
    case 'mkdirat':
      return [{ kind: 'mkdir', path }]
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', path: file, begun }]
    default:
      throw new Error(`The trial does not know ${name}`)
  }
}
