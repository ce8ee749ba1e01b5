import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'

export interface Table {
  head: string[]
  rows: string[][]
}

const line = (cells: string[]): string => `| ${cells.join(' | ')} |`

export function toMarkdownTable({ head, rows }: Table): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

export function describeMachine(): string {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  const machine = `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gib} GiB, ${type()}`
  return `${machine}; Node ${process.version}; ${new Date().toISOString().slice(0, 10)}`
}

const PAGE = 'docs/performance.md'

/** Prints figures. With `write`, saves them in bench/results/ and updates docs/performance.md. */
export function publish(name: string, figures: (string | Table)[], write: boolean): void {
  console.log(figures.map((figure) => (typeof figure === 'string' ? figure : toMarkdownTable(figure))).join('\n\n'))
  if (!write) return
  writeFileSync(fileOf(name), JSON.stringify(figures))
  const [head = '', , tail = ''] = readFileSync(PAGE, 'utf8').split(/(?<=<!-- results -->)|(?=<!-- end of results -->)/)
  writeFileSync(PAGE, `${head}\n\n${summarize()}\n\n${tail}`)
  execFileSync('node_modules/.bin/oxfmt', [PAGE, fileOf(name)])
}

const fileOf = (name: string): string => `bench/results/${name}.json`

function readFigures(name: string): (string | Table)[] {
  return JSON.parse(readFileSync(fileOf(name), 'utf8')) as (string | Table)[]
}

/** Finds a saved row by its first cells, in the table with this first heading. @throws Error if there is none */
function findRow(name: string, heading: string, ...first: string[]): string[] {
  const tables = readFigures(name).filter((figure) => typeof figure !== 'string')
  const rows = tables.find(({ head }) => head[0] === heading)?.rows ?? []
  const row = rows.find((cells) => first.every((cell, index) => cells[index] === cell))
  if (!row) throw new Error(`${fileOf(name)} has no row of ${heading} with ${first.join(', ')}`)
  return row
}

export function summarize(): string {
  const databases = ['sqlite', 'postgresql']
  const ofBoth = (measure: string, cell: (database: string) => string | undefined) => [
    measure,
    ...databases.map((database) => cell(database) ?? ''),
  ]
  const request = (name: string) => (database: string) => findRow(`api-${database}`, 'Request', name)[3]
  const list = (path: string) => (database: string) => findRow(`api-${database}`, 'List', `\`${path}\``)[3]
  const fact = (column: number) => (database: string) =>
    findRow(`api-${database}`, 'Users, and items', '1,000,000')[column]
  const creations = (writers: string) => (database: string) => findRow(`writes-${database}`, 'Writers', writers)[1]
  const page = (path: string, speed: 'full' | 'slow') => findRow('web', 'Page', path, 'cold', speed)
  const table: Table = {
    head: ['Measure', 'SQLite', 'PostgreSQL'],
    rows: [
      ofBoth('log-ins a second', request('log-in')),
      ofBoth('reads of the own account a second', request('own account')),
      ofBoth('first pages of own items a second', request('own items, page 1')),
      ofBoth('first pages of users a second', request('users, page 1')),
      ofBoth('page 10,000 of users, ms', list('/users/?skip=499950')),
      ofBoth('users sorted by address, ms', list('/users/?sort=email')),
      ofBoth('search with 5 matches, ms', list('/users/?q=anna.schneider')),
      ofBoth('search with 1,000,000 matches, ms', list('/users/?q=example')),
      ofBoth('dashboard, ms', list('/users/me/overview')),
      ...['1', '8', '64'].map((writers) => ofBoth(`items created a second, writers: ${writers}`, creations(writers))),
      ofBoth('from start to ready', fact(2)),
      ofBoth('most memory under load', fact(3)),
      ...['/login', '/items'].flatMap((path) => [
        [`${path}: bytes`, page(path, 'full')[3] ?? '', ''],
        [`${path}: largest contentful paint, slow, ms`, page(path, 'slow')[6] ?? '', ''],
      ]),
      ['opening a row’s dialog, slow, ms', findRow('press', 'Press', 'a row’s Edit dialog').slice(1).join(' / '), ''],
      ['the next page of a list, slow, ms', findRow('press', 'Press', 'the next page').slice(1).join(' / '), ''],
    ],
  }
  const machines = ['api-sqlite', 'web'].map((name) => {
    const intro = readFigures(name).find((figure) => typeof figure === 'string')
    return `- \`${name}\`: ${intro}`
  })
  return `${toMarkdownTable(table)}\n\n${machines.join('\n')}`
}
