import { readFileSync } from 'node:fs'
import { residentMemory } from '../../tests/support/measure.ts'

/** The resident memory of a process and its children, in MiB. Only on Linux. */
export function totalMemory(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return [pid, ...children].reduce((sum, each) => sum + (residentMemory(each) ?? 0), 0)
}
