/** Isolates the direction of user input in plain text, so that it does not affect the words around it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`
}
