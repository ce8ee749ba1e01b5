import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export interface Terminal {
  say(line: string): void
  complain(line: string): void
  askPassword(): Promise<string>
}

export const processTerminal: Terminal = {
  say: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),

  async askPassword() {
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
