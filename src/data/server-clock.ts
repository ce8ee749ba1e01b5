/** How far the server's clock is ahead of this computer's, in milliseconds. */
let ahead = 0

/** Reads the server's clock from a response. Its header has whole seconds. */
export function readServerClock({ headers }: Response): void {
  const at = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** The server's time, as the times of rows are the server's and a computer's clock may be wrong by days. */
export const serverNow = (): number => Date.now() + ahead
