/** What was written to the console and not announced. Any of it fails the test. */
const complaints: string[] = []
let announced: RegExp[] = []

/** Says beforehand what a test makes the application, or React, complain of. */
export function expectConsoleError(pattern: RegExp): void {
  announced.push(pattern)
}

/** In the place of `console.error` and `console.warn`. */
export function complain(...parts: unknown[]): void {
  const text = parts.map(String).join(' ')
  if (!announced.some((pattern) => pattern.test(text))) complaints.push(text)
}

/** What there was to complain of; forgets it, and what was announced. */
export function takeComplaints(): string[] {
  announced = []
  return complaints.splice(0)
}
