import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'

const line = (cells: string[]): string => `| ${cells.join(' | ')} |`

/** @returns a Markdown table */
export function tableOf(head: string[], rows: string[][]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** The machine, Node and the date. */
export function describeMachine(): string {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gib} GiB, ${type()}`
  return `${machine}; Node ${process.version}; ${new Date().toISOString().slice(0, 10)}`
}

/** Prints figures and, with `write`, replaces those of the same name in docs/performance.md. */
export function publish(name: string, paragraphs: string[], write: boolean): void {
  const text = paragraphs.join('\n\n')
  console.log(text)
  if (!write) return
  const file = 'docs/performance.md'
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [head, rest] = readFileSync(file, 'utf8').split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for ${name}`)
  writeFileSync(file, `${head}${begin}\n\n${text}\n\n${end}${tail}`)
  execFileSync('node_modules/.bin/oxfmt', [file])
}
