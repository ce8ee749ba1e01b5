const EVERY = 50_000

/** Reports the progress of a long command. */
export type Progress = (what: string, done: number, of: number) => void

/** Overwrites one line on a terminal. Prints a line now and then to a file. */
export const showProgress: Progress = (what, done, of) => {
  const line = `${what}: ${done} of ${of}`
  if (of < EVERY) return
  if (process.stderr.isTTY) process.stderr.write(`\r${line}${done === of ? '\n' : ''}`)
  else if (done % EVERY === 0 || done === of) process.stderr.write(`${line}\n`)
}
