import * as z from 'zod/mini'
import { DescriptionSchema, EmailSchema, TitleSchema } from '@/client/schemas.gen'

/** Lengths are counted as the API counts them: in code points, not in UTF-16 units. */
function maxLength(limit: number) {
  return z.refine<string>((text) => Array.from(text).length <= limit, {
    error: `String must contain at most ${limit} character(s)`,
  })
}

const emailPattern = new RegExp(EmailSchema.pattern, 'u')

/** An address. Empty: `Email is required` alone; filled: `Invalid email address` when malformed (SPEC 5). */
export function email() {
  return z.string().check(
    z.trim(),
    z.minLength(1, { error: 'Email is required', abort: true }),
    z.refine<string>((text) => emailPattern.test(text), { error: 'Invalid email address' }),
    maxLength(EmailSchema.maxLength),
  )
}

/** A password to log in with: whatever was once accepted. */
export function existingPassword() {
  return z.string().check(z.minLength(1, { error: 'Password is required' }))
}

/** An item's title; blanks alone are none. @param missing the sentence for an empty one (SPEC 5 has two) */
export function title(missing: string) {
  return z.string().check(z.trim(), z.minLength(1, { error: missing, abort: true }), maxLength(TitleSchema.maxLength))
}

/** An item's description; empty is none. */
export function description() {
  return z.string().check(maxLength(DescriptionSchema.maxLength))
}
