import * as z from 'zod/mini'
import { DescriptionSchema, FullNameSchema, PasswordSchema, TitleSchema } from '@/client/schemas.gen'
import './messages'
import { atMost, emailRules, lengthOf, required, rule, tidyAddress, type TextRule } from './text-rules'

// Every rule of the forms (SPEC 5), with bounds from the contract. All but `required` let an empty text pass: an empty field says
// only that it is required, a filled one everything that it breaks. None aborts: zod would not compare the passwords then.

/** Rules of a text as checks of a schema. */
function checks(...rules: readonly TextRule[]) {
  return z.check<string>(({ value, issues }) => {
    for (const check of rules) {
      const message = check(value)
      if (message !== null) issues.push({ code: 'custom', message, input: value })
    }
  })
}

export function email() {
  return z.string().check(z.overwrite(tidyAddress), checks(...emailRules))
}

/** @param message for a field that may not be empty */
export function fullName(message?: string) {
  const rules = message === undefined ? [] : [required(message)]
  return z.string().check(z.trim(), checks(...rules, atMost(FullNameSchema.maxLength)))
}

const passwordLength = [
  rule(
    (text) => lengthOf(text) >= PasswordSchema.minLength,
    `Password must be at least ${PasswordSchema.minLength} characters`,
  ),
  atMost(PasswordSchema.maxLength),
]

/** SPEC 5's shared rule for a password that is being chosen, or given as the current one in settings. */
export function password() {
  return z.string().check(checks(required('Password is required'), ...passwordLength))
}

/** The same where an empty field means: as it was. */
export function optionalPassword() {
  return z.string().check(checks(...passwordLength))
}

export function confirmation(message = 'Password confirmation is required') {
  return z.string().check(checks(required(message)))
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
  return z.string().check(z.trim(), checks(required(missing), atMost(TitleSchema.maxLength)))
}

/** Empty is none. */
export function description() {
  return z.string().check(checks(atMost(DescriptionSchema.maxLength)))
}
