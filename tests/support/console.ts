/** Unexpected console output. The setup fails the test if there is any. */
const unexpectedOutput: string[] = []
let allowed: RegExp[] = []

export function expectConsoleError(pattern: RegExp): void {
  allowed.push(pattern)
}

export function recordOutput(...parts: unknown[]): void {
  const text = parts.map(String).join(' ')
  if (!allowed.some((pattern) => pattern.test(text))) unexpectedOutput.push(text)
}

export function takeUnexpectedOutput(): string[] {
  allowed = []
  return unexpectedOutput.splice(0)
}
