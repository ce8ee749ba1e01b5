import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** Of items, which are the template of resources. */
const folders = ['server/items', 'src/features/items']
const files = ['server/items/rules.ts', 'src/features/items/items-page.tsx']

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 * 1024 * 1024 })

let commit: string | undefined

/** A file of items, or one that names them. After they were removed, it is in the history. @throws Error if it is not */
export function readTemplate(path: string): string {
  if (files.every((file) => existsSync(file))) return readFileSync(path, 'utf8')
  try {
    commit ??= lastCommit()
    return git('show', `${commit}:${path}`)
  } catch {
    throw new Error('The template of resources is items, and the history has no commit with them: fetch all of it')
  }
}

/** The newest commit that has items. Merged versions of Steward may have newer ones than the commit before the removal. */
function lastCommit(): string {
  const has = (name: string) => files.every((file) => git('ls-tree', name, file) !== '')
  const newest = git('log', '-1', '--full-history', '--format=%H', '--', ...folders).trim()
  const found = ['HEAD', newest, `${newest}^`].find(has)
  if (found === undefined) throw new Error('No commit has items')
  return found
}
