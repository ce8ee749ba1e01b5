import { quantile } from '../../tests/support/measure.ts'

export class Report {
  private readonly rows: [string, string][] = []
  private readonly broken: string[] = []
  private readonly title: string

  constructor(title: string) {
    this.title = title
  }

  figures(figures: Record<string, number | string>): void {
    for (const [name, value] of Object.entries(figures)) this.rows.push([name, String(value)])
  }

  /** @param promises their faults. A promise without faults holds. */
  promises(promises: Record<string, readonly string[]>): void {
    for (const [name, faults] of Object.entries(promises)) {
      this.rows.push([name, faults.length === 0 ? 'holds' : `BROKEN, ${faults.length} times`])
      for (const fault of faults.slice(0, 10)) this.broken.push(`${name}: ${fault}`)
    }
  }

  print(): void {
    const width = Math.max(...this.rows.map(([name]) => name.length))
    console.log(`\n${this.title}`)
    for (const [name, value] of this.rows) console.log(`  ${name.padEnd(width)}  ${value}`)
    for (const line of this.broken) console.error(`  ! ${line}`)
    if (this.broken.length > 0) process.exitCode = 1
  }
}

export function spread(times: readonly number[]): string {
  if (times.length === 0) return 'none'
  const at = (share: number): number => Math.round(quantile(times, share))
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms (of ${times.length})`
}
