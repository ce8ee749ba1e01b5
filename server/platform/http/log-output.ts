import { writeSync } from 'node:fs'

export type LogOutput = ReturnType<typeof createLogOutput>

/** How long a line waits for the reader of a pipe. After a line is lost, lines do not wait until one is written. */
const PATIENCE_MS = 50
const STANDARD_OUTPUT = 1

/**
 * Writes each line of the log at once. The server goes on if a line cannot be written, such as on a full disk. The next
 * line that is written says how many are missing.
 * @param write returns how many of the bytes it has written
 */
export function createLogOutput(write = (bytes: Buffer): number => writeSync(STANDARD_OUTPUT, bytes)) {
  /** The lines that were lost since a line was last written, and the lines that were lost in all. */
  let missing = 0
  let lost = 0
  let isTorn = false
  const cell = new Int32Array(new SharedArrayBuffer(4))

  function writeAll(line: string, patienceMs: number): boolean {
    const deadline = performance.now() + patienceMs
    let bytes = Buffer.from(isTorn ? `\n${line}` : line)
    while (bytes.length > 0) {
      try {
        bytes = bytes.subarray(write(bytes))
        isTorn = bytes.length > 0
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() >= deadline) return false
        Atomics.wait(cell, 0, 0, 1)
      }
    }
    return true
  }

  return {
    write(line: string, report: (missing: number) => string): void {
      if (missing > 0 && writeAll(report(missing), 0)) missing = 0
      if (missing === 0 && writeAll(line, PATIENCE_MS)) return
      missing += 1
      lost += 1
    },
    lost: () => lost,
  }
}
