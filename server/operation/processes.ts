import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'

const TASKS = '/proc/self/task'

/**
 * This process and its children, which read for it or make a backup. Memory that they share counts for each.
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

/** A process may end at any time. */
async function readOrNothing(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}
