/** Isolates the direction of user input in plain text, so that it does not affect the words around it. */
export const isolate = (text: string): string => `\u2068${text}\u2069`
