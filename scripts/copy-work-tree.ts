import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

export function copyWorkTree(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
  for (const file of listed.split('\0').filter((path) => path !== '' && existsSync(path)))
    cpSync(file, join(folder, file))
}
