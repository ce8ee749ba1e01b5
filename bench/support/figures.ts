import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const line = (cells: string[]): string => `| ${cells.join(' | ')} |`

/** @returns a Markdown table */
export function tableOf(head: string[], rows: string[][]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

/** Saves the results of this run for programs. */
export function writeJson(file: string, result: unknown): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
}

/** Replaces the text between two named comments of a document. */
export function writeBetweenMarkers(file: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const before = readFileSync(file, 'utf8')
  const [head, rest] = before.split(begin)
  const tail = rest?.split(end)[1]
  if (head === undefined || tail === undefined) throw new Error(`${file} has no place for ${name}`)
  writeFileSync(file, `${head}${begin}\n\n${text}\n\n${end}${tail}`)
  execFileSync('node_modules/.bin/oxfmt', [file])
}
