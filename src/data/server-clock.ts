/** How far the server's clock is ahead of this computer's, in milliseconds. */
let ahead = 0

/** Reads the server's clock from the header `Date`, which has whole seconds. */
export function readServerClock({ headers }: Response): void {
  const at = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** The server's time. Times of rows are the server's, and a computer's clock can be wrong by days. */
export const serverNow = (): number => Date.now() + ahead
