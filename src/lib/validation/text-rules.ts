import { EmailSchema } from '@/client/schemas.gen'

// The rules of a single text that do without the schema library, because the log-in page does (docs/decisions/0019).
// rules.ts makes schemas of them. All but `required` let an empty text pass.

/** What is wrong with a text; `null`: nothing. */
export type TextRule = (text: string) => string | null

/** @param message the sentence for an empty field */
export function required(message: string): TextRule {
  return (text) => (text === '' ? message : null)
}

/** @param message the sentence for a text that does not hold */
export function rule(holds: (text: string) => boolean, message: string): TextRule {
  return (text) => (text === '' || holds(text) ? null : message)
}

/** Lengths count as the API counts them: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  return Array.from(text).length
}

export function atMost(maximum: number): TextRule {
  return rule((text) => lengthOf(text) <= maximum, stringBound('most', maximum))
}

/** SPEC 8's words for a text that is too short or too long. */
export function stringBound(side: 'least' | 'most', bound: number | bigint): string {
  return `String must contain at ${side} ${bound} character(s)`
}

const emailPattern = new RegExp(EmailSchema['x-pattern'], 'u')

/** An address as the server takes it: without blanks around it, and letters with their accents in one character, not two. */
export function tidyAddress(text: string): string {
  return text.normalize('NFKC').trim()
}

/** Of a tidy address. */
export const emailRules: readonly TextRule[] = [
  required('Email is required'),
  rule((text) => emailPattern.test(text), 'Invalid email address'),
  atMost(EmailSchema.maxLength),
]

/** Of a password to log in with: whatever was once accepted. */
export const existingPasswordRules: readonly TextRule[] = [required('Password is required')]

/** Everything that is wrong with a text, in the order of its rules (SPEC 5: forms show all messages). */
export function brokenRules(text: string, rules: readonly TextRule[]): string[] {
  return rules.map((check) => check(text)).filter((message) => message !== null)
}
