import * as z from 'zod/mini'
import { DescriptionSchema, EmailSchema, FullNameSchema, PasswordSchema, TitleSchema } from '@/client/schemas.gen'
import './messages'

// Every rule of the forms (SPEC 5), with bounds from the contract. All but `required` let an empty text pass: an empty field says
// only that it is required, a filled one everything that it breaks. None aborts: zod would not compare the passwords then.

/** @param message the sentence for an empty field */
function required(message: string) {
  return z.minLength(1, { error: message })
}

/** Lengths count as the API counts them: code points, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length
}

function atMost(maximum: number) {
  return z.check<string>(({ value, issues }) => {
    if (lengthOf(value) > maximum) issues.push({ code: 'too_big', origin: 'string', maximum, input: value })
  })
}

const emailPattern = new RegExp(EmailSchema.pattern, 'u')

export function email() {
  return z.string().check(
    // As the server does it: letters and their accents may be typed as one character or as two.
    z.normalize('NFKC'),
    z.trim(),
    required('Email is required'),
    z.refine<string>((text) => text === '' || emailPattern.test(text), { error: 'Invalid email address' }),
    atMost(EmailSchema.maxLength),
  )
}

/** @param message for a field that may not be empty */
export function fullName(message?: string) {
  const bound = atMost(FullNameSchema.maxLength)
  return message === undefined
    ? z.string().check(z.trim(), bound)
    : z.string().check(z.trim(), required(message), bound)
}

/** SPEC 9: shorter in the profile than the API would have it. */
export function profileName() {
  const message = 'Full name must be at most 30 characters'
  return z.string().check(
    z.trim(),
    z.refine<string>((text) => lengthOf(text) <= 30, { error: message }),
  )
}

const longEnough = z.refine<string>((text) => text === '' || lengthOf(text) >= PasswordSchema.minLength, {
  error: `Password must be at least ${PasswordSchema.minLength} characters`,
})

/** SPEC 5's shared rule for a password that is being chosen, or given as the current one in settings. */
export function password() {
  return z.string().check(required('Password is required'), longEnough, atMost(PasswordSchema.maxLength))
}

/** The same where an empty field means: as it was. */
export function optionalPassword() {
  return z.string().check(longEnough, atMost(PasswordSchema.maxLength))
}

/** A password to log in with: whatever was once accepted. */
export function existingPassword() {
  return z.string().check(required('Password is required'))
}

export function confirmation(message = 'Password confirmation is required') {
  return z.string().check(required(message))
}

/**
 * The confirmation has to equal the password it stands beside (SPEC 5). An empty one is the required rule's business.
 * @param field which password
 */
export function matching<Field extends 'password' | 'new_password'>(field: Field) {
  type Values = Record<Field | 'confirm_password', string>
  return z.refine<Values>((values) => values.confirm_password === '' || values.confirm_password === values[field], {
    error: 'The passwords do not match',
    path: ['confirm_password'],
    // Also while other fields are still wrong.
    when: () => true,
  })
}

/** @param missing the sentence for an empty title, of which SPEC 5 has two; blanks alone are none */
export function title(missing: string) {
  return z.string().check(z.trim(), required(missing), atMost(TitleSchema.maxLength))
}

/** Empty is none. */
export function description() {
  return z.string().check(atMost(DescriptionSchema.maxLength))
}
