/** A text that a person has typed, for a sentence without markup: its direction does not reach the words around it. */
export function isolate(text: string): string {
  return `\u2068${text}\u2069`
}
