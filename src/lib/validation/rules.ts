import * as z from 'zod/mini'
import { EmailSchema, FullNameSchema, PasswordSchema } from '@/client/schemas.gen'
import { toDay } from '../list-search'
import { stringBound } from './messages'

// Every rule of the forms (SPEC 5), with the bounds of the contract. All but `required` accept an empty text, so that an empty
// field shows one message. None aborts: zod would not compare the passwords then.

/** @returns what is wrong with a text, or `null` */
type Rule = (text: string) => string | null

const required =
  (message: string): Rule =>
  (text) =>
    text === '' ? message : null

const rule =
  (holds: (text: string) => boolean, message: string): Rule =>
  (text) =>
    text === '' || holds(text) ? null : message

/** The API counts code points, not UTF-16 units. */
const lengthOf = (text: string): number => Array.from(text).length

const atMost = (maximum: number, message = stringBound('most', maximum)): Rule =>
  rule((text) => lengthOf(text) <= maximum, message)

/** Rules as checks of a schema. */
function checks(...rules: readonly Rule[]) {
  return z.check<string>(({ value, issues }) => {
    for (const check of rules) {
      const message = check(value)
      if (message !== null) issues.push({ code: 'custom', message, input: value })
    }
  })
}

const emailPattern = new RegExp(EmailSchema['x-pattern'], 'u')

/** NFKC joins letters and their accents, as the server does. It takes long over a text that is no address anyway. */
const tidyAddress = (text: string): string => (text.length > 1024 ? text : text.normalize('NFKC')).trim()

export function email() {
  return z.string().check(
    z.overwrite(tidyAddress),
    checks(
      required('Email is required'),
      rule((text) => emailPattern.test(text), 'Invalid email address'),
      atMost(EmailSchema.maxLength),
    ),
  )
}

/** Characters without a glyph would be a name that nobody can see or press. */
function visible({ 'x-visible': pattern, maxLength }: { 'x-visible': string; maxLength: number }): Rule {
  const expression = new RegExp(pattern, 'u')
  return rule((text) => text.length > 2 * maxLength || expression.test(text), 'At least one character must be visible')
}

/** @param message for a field that may not be empty */
export function fullName(message?: string) {
  const rules = message === undefined ? [] : [required(message)]
  return z.string().check(z.trim(), checks(...rules, visible(FullNameSchema), atMost(FullNameSchema.maxLength)))
}

/** SPEC 9: the profile has a shorter bound than the API. */
export function profileName() {
  return z
    .string()
    .check(z.trim(), checks(visible(FullNameSchema), atMost(30, 'Full name must be at most 30 characters')))
}

const passwordLength = [
  rule(
    (text) => lengthOf(text) >= PasswordSchema.minLength,
    `Password must be at least ${PasswordSchema.minLength} characters`,
  ),
  atMost(PasswordSchema.maxLength),
]

/** SPEC 5's shared rule, for new passwords and for the current one in settings. */
export function password() {
  return z.string().check(checks(required('Password is required'), ...passwordLength))
}

/** The same where an empty field keeps the password. */
export function optionalPassword() {
  return z.string().check(checks(...passwordLength))
}

/** For the log-in, where older passwords may be shorter. */
export function existingPassword() {
  return z.string().check(checks(required('Password is required')))
}

export function confirmation(message = 'Password confirmation is required') {
  return z.string().check(checks(required(message)))
}

/** The confirmation equals the password (SPEC 5). An empty one is left to `confirmation`. */
export function matching<Field extends 'password' | 'new_password'>(field: Field) {
  type Values = Record<Field | 'confirm_password', string>
  return z.refine<Values>((values) => values.confirm_password === '' || values.confirm_password === values[field], {
    error: 'The passwords do not match',
    path: ['confirm_password'],
    // Also while other fields are invalid.
    when: () => true,
  })
}

/** A text that is trimmed. @param missing the message for an empty one; SPEC 5 has two for titles */
export function requiredText(missing: string, bounds: Parameters<typeof visible>[0]) {
  return z.string().check(z.trim(), checks(required(missing), visible(bounds), atMost(bounds.maxLength)))
}

export function optionalText({ maxLength }: { maxLength: number }) {
  return z.string().check(checks(atMost(maxLength)))
}

const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text)

/** A number as its field has it. @param missing the message where it may not be empty */
export function wholeNumber({ minimum, maximum }: { minimum: number; maximum: number }, missing?: string) {
  return z.string().check(
    z.trim(),
    checks(
      ...(missing === undefined ? [] : [required(missing)]),
      rule(isWhole, 'Must be a whole number'),
      rule((text) => !isWhole(text) || Number(text) >= minimum, `Number must be greater than or equal to ${minimum}`),
      rule((text) => !isWhole(text) || Number(text) <= maximum, `Number must be less than or equal to ${maximum}`),
    ),
  )
}

/** A day, such as `2026-11-21`. @param missing the message where it may not be empty */
export function day(missing?: string) {
  const rules = missing === undefined ? [] : [required(missing)]
  return z.string().check(
    checks(
      ...rules,
      rule((text) => toDay(text) !== undefined, 'Invalid date'),
    ),
  )
}
