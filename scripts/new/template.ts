import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Of items, which are the template of resources. */
const folders = ['server/items', 'src/features/items', 'tests/screens/items']
const queries = 'server/items/queries.ts'
const list = 'src/features/items/items-list.ts'
/** In `queries`, while items have no further fields, whose links, filters and choices would be copied. */
const FIELDS = "fields: { title: 'plain', description: 'plain' }"

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 })

let commit: string | undefined

/**
 * A file of items, or one that names them. After they were removed or got further fields, it is in the history.
 * @throws Error if it is not
 */
export function readTemplate(path: string): string {
  if (existsSync(list) && existsSync(queries) && readFileSync(queries, 'utf8').includes(FIELDS))
    return readFileSync(path, 'utf8')
  try {
    commit ??= lastCommit()
    return git('show', `${commit}:${path}`)
  } catch {
    throw new Error(
      'The template of resources is items as they were without further fields, and the history has no commit with that: fetch all of it, such as by git fetch --unshallow',
    )
  }
}

/** The newest commit that has the template. Merged versions of Steward may have newer ones than the product. */
function lastCommit(): string {
  const changes = git('log', '--full-history', '--format=%H %P', '--', ...folders)
  const found = ['HEAD', ...changes.trim().split(/\s+/)].find(hasTemplate)
  if (found === undefined) throw new Error('No commit has items')
  return found
}

function hasTemplate(name: string): boolean {
  try {
    return git('cat-file', '-e', `${name}:${list}`) === '' && git('show', `${name}:${queries}`).includes(FIELDS)
  } catch {
    return false
  }
}
