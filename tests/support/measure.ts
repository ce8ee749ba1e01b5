import { existsSync, readFileSync } from 'node:fs'

/** @param share of the values that do not exceed the result: 0.99 for the 99th percentile */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN
}

export const medianOf = (values: readonly number[]): number => quantile(values, 0.5)

/** The resident memory of a process in MiB, or NaN on systems without `/proc`. */
export function residentMemory(pid = 0): number {
  const file = `/proc/${pid}/status`
  if (!existsSync(file)) return Number.NaN
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024
}

/** Samples values until the returned function is called. That function returns the maximum of each value. */
export function watchPeaks(sample: () => number[], everyMs = 250): () => number[] {
  let peaks = sample()
  const sampling = setInterval(() => {
    const now = sample()
    peaks = peaks.map((peak, index) => Math.max(peak, now[index] ?? peak))
  }, everyMs)
  return () => {
    clearInterval(sampling)
    return peaks
  }
}
