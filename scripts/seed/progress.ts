const EVERY = 50_000

export type Progress = (what: string, done: number, of: number) => void

/** Overwrites one line on a terminal. In a file, prints a line every 50,000 rows. */
export const showProgress: Progress = (what, done, of) => {
  const line = `${what}: ${done} of ${of}`
  if (of < EVERY) return
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${done === of ? '\n' : ''}`)
  else if (done % EVERY === 0 || done === of) process.stderr.write(`${line}\n`)
}
