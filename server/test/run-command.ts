import { exitCodeOf, explainFailure } from '../cli/explain-failure.ts'
import type { Terminal } from '../cli/terminal.ts'

export function runNow(command: (terminal: Pick<Terminal, 'say'>) => void): [code: number, said: string] {
  const said: string[] = []
  try {
    command({ say: (line) => void said.push(line) })
    return [0, said.join('\n')]
  } catch (error) {
    return [exitCodeOf(error), explainFailure(error)]
  }
}

/** Runs a command of the operator, who types a password. @returns its exit code and lines, with `! ` before errors */
export async function run(command: (terminal: Terminal) => Promise<void>, typed = '') {
  const said: string[] = []
  const complain = (line: string): void => void said.push(`! ${line}`)
  const say = (line: string): void => void said.push(line)
  try {
    await command({ say, complain, askPassword: async () => typed })
    return { code: 0, said }
  } catch (error) {
    complain(explainFailure(error))
    return { code: exitCodeOf(error), said }
  }
}
