import { readFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'

/** On what and when something was measured: without it, a figure says nothing. */
export function describeMachine() {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return {
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gib} GiB, ${type()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  }
}

/** What a process has of memory now, in MiB; `undefined` where the system does not tell (it has no `/proc`). */
export function residentMemory(pid: number): number | undefined {
  try {
    const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return kib === undefined ? undefined : Number(kib) / 1024
  } catch {
    return undefined
  }
}
