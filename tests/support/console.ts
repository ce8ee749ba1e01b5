/** Unexpected console output, which fails the test. */
const complaints: string[] = []
let announced: RegExp[] = []

/** Allows console output that matches the pattern. */
export function expectConsoleError(pattern: RegExp): void {
  announced.push(pattern)
}

export function complain(...parts: unknown[]): void {
  const text = parts.map(String).join(' ')
  if (!announced.some((pattern) => pattern.test(text))) complaints.push(text)
}

/** @returns the unexpected output; resets it and the allowed patterns */
export function takeComplaints(): string[] {
  announced = []
  return complaints.splice(0)
}
