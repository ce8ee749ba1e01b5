import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export type Terminal = typeof processTerminal

export const processTerminal = {
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  complain: (line: string): void => void process.stderr.write(`${line}\n`),

  async askPassword(): Promise<string> {
    const { stdin } = process
    if (stdin.isTTY) process.stderr.write('Password (empty to generate one): ')
    const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
    const lines = createInterface({ input: stdin, output: hidden, terminal: stdin.isTTY })
    try {
      for await (const line of lines) return line
      return ''
    } finally {
      lines.close()
      if (stdin.isTTY) process.stderr.write('\n')
    }
  },
}
