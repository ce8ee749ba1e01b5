import { cpus, totalmem, type } from 'node:os'

export function describeMachine() {
  const [cpu] = cpus()
  const gib = Math.round(totalmem() / 2 ** 30)
  return {
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, ${gib} GiB, ${type()}`,
    node: process.version,
    date: new Date().toISOString().slice(0, 10),
  }
}
