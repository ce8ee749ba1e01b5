/** The difference between the server's and this computer's clock, in milliseconds. */
let ahead = 0

export function readServerClock({ headers }: Response): void {
  const at = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** Times of rows are the server's, and the clocks of some computers are wrong by days. */
export const serverNow = (): number => Date.now() + ahead
