import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

const TASKS = '/proc/self/task'

/**
 * Measures this process and its children, which run long reads and backups. Shared memory counts for each process.
 * @returns `undefined` where the system is not Linux
 */
export async function measureProcesses(): Promise<{ count: number; residentBytes: number } | undefined> {
  if (!existsSync(TASKS)) return undefined
  const tasks = await readdir(TASKS)
  const children = await Promise.all(tasks.map((task) => readOrNothing(`${TASKS}/${task}/children`)))
  const ids = ['self', ...children.flatMap((text) => text.split(' ').filter((id) => id !== ''))]
  const sizes = await Promise.all(ids.map(residentBytesOf))
  const alive = sizes.filter((size) => size > 0)
  return { count: alive.length, residentBytes: alive.reduce((sum, size) => sum + size, 0) }
}

async function residentBytesOf(id: string): Promise<number> {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(await readOrNothing(`/proc/${id}/status`)) ?? []
  return Number(kilobytes) * 1024
}

/** Returns an empty text if the process has ended meanwhile. */
async function readOrNothing(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
