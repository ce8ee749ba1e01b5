import * as z from 'zod/mini'
import {
  ApiTokenNameSchema,
  EmailSchema,
  FullNameSchema,
  LogInCodeSchema,
  PasskeyNameSchema,
  PasswordSchema,
} from '@/client/schemas.gen'
import { isDay, isInstant, problemOf } from '../day-or-time'
import { SENDING } from '../file-text'
import { isAtLeast, numberBound, placesOf, readNumber } from '../number-text'
import { stringBound } from './messages'

// All rules but `required` accept empty text, so that an empty field shows only one message. None aborts, because zod
// would then not compare the passwords.

/** @returns the error of a text, or `null` */
type Rule = (text: string) => string | null

const required =
  (message?: string): Rule =>
  (text) =>
    text === '' ? (message ?? null) : null

const rule =
  (holds: (text: string) => boolean, message: string): Rule =>
  (text) =>
    text === '' || holds(text) ? null : message

/** The API counts code points, not UTF-16 units. */
const lengthOf = (text: string): number => Array.from(text).length

const atMost = (maximum: number, message = stringBound('most', maximum)): Rule =>
  rule((text) => lengthOf(text) <= maximum, message)

const whole =
  (isWhole: (text: string) => boolean, noun: string): Rule =>
  (text) =>
    text === '' || isWhole(text) ? null : problemOf(text, noun)

function checks(...rules: readonly Rule[]) {
  return z.check<string>(({ value, issues }) => {
    for (const check of rules) {
      const message = check(value)
      if (message !== null) issues.push({ code: 'custom', message, input: value })
    }
  })
}

const emailPattern = new RegExp(EmailSchema['x-pattern'], 'u')

/** Applies NFKC like the server, except to texts too long for an address, for which this is slow. */
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

/** Refuses text of only invisible characters, which users could neither see nor click. */
function visible({ 'x-visible': pattern, maxLength }: { 'x-visible': string; maxLength: number }): Rule {
  const expression = new RegExp(pattern, 'u')
  return rule((text) => text.length > 2 * maxLength || expression.test(text), 'At least one character must be visible')
}

const fullNamePattern = new RegExp(FullNameSchema['x-pattern'], 'u')

const nameCharacters = [
  visible(FullNameSchema),
  rule((text) => fullNamePattern.test(text), 'Full name must be one line without control characters'),
]

/** Removes characters that the API accepted in old names, but refuses now. */
export const editableName = (name: string | null): string => (name ?? '').replaceAll(/[\p{Cc}\u2028\u2029]/gu, '')

/** @param missing the message for an empty field, if it is required */
export function fullName(missing?: string) {
  return z.string().check(z.trim(), checks(required(missing), ...nameCharacters, atMost(FullNameSchema.maxLength)))
}

export const passkeyName = () => requiredText('Name is required', PasskeyNameSchema)

export const tokenName = () => requiredText('Name is required', ApiTokenNameSchema)

/** The profile form has a lower limit than the API. */
export function profileName() {
  return z.string().check(z.trim(), checks(...nameCharacters, atMost(30, 'Full name must be at most 30 characters')))
}

const passwordLength = [
  rule(
    (text) => lengthOf(text) >= PasswordSchema.minLength,
    `Password must be at least ${PasswordSchema.minLength} characters`,
  ),
  atMost(PasswordSchema.maxLength),
]

const tidyCode = (text: string): string =>
  text.length > LogInCodeSchema.maxLength ? text : text.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')

/** @returns a complete code of an authenticator app, or `undefined` */
export const toAppCode = (text: string): string | undefined => /^\d{6}$/.exec(tidyCode(text))?.[0]

export function appCode() {
  return z.string().check(
    z.overwrite(tidyCode),
    checks(
      required('Code is required'),
      rule((text) => toAppCode(text) !== undefined, 'Enter the six digits'),
    ),
  )
}

export function logInCode() {
  const { minLength, maxLength } = LogInCodeSchema
  return z.string().check(
    z.overwrite(tidyCode),
    checks(
      required('Code is required'),
      rule((text) => lengthOf(text) >= minLength, stringBound('least', minLength)),
      atMost(maxLength),
    ),
  )
}

export function password() {
  return z.string().check(checks(required('Password is required'), ...passwordLength))
}

/** For forms in which an empty field keeps the password. */
export function optionalPassword() {
  return z.string().check(checks(...passwordLength))
}

/** For log-in, because older passwords may be shorter. */
export function existingPassword() {
  return z.string().check(checks(required('Password is required')))
}

export function confirmation(message = 'Password confirmation is required') {
  return z.string().check(checks(required(message)))
}

/** @param isRequired whether `confirmation` has its own message for an empty confirmation */
export function matching<Field extends 'password' | 'new_password'>(field: Field, { isRequired = true } = {}) {
  type Values = Record<Field | 'confirm_password', string>
  const isMatch = ({ [field]: chosen, confirm_password: confirmed }: Values) =>
    confirmed === chosen || (isRequired && confirmed === '')
  return z.refine<Values>(isMatch, {
    error: 'The passwords do not match',
    path: ['confirm_password'],
    // Passwords are compared even while other fields are invalid.
    when: () => true,
  })
}

export function requiredText(missing: string, bounds: Parameters<typeof visible>[0]) {
  return z.string().check(z.trim(), checks(required(missing), visible(bounds), atMost(bounds.maxLength)))
}

export function optionalText({ maxLength }: { maxLength: number }) {
  return z.string().check(checks(atMost(maxLength)))
}

function number(places: number, minimum: number | string, maximum: number | string, missing?: string) {
  const isNumber = (text: string): boolean => readNumber(text, places).problem === undefined
  return z.string().check(
    z.trim(),
    z.overwrite((text) => readNumber(text, places).value ?? text),
    checks(
      required(missing),
      (text) => (text === '' ? null : (readNumber(text, places).problem ?? null)),
      rule((text) => !isNumber(text) || isAtLeast(text, String(minimum)), numberBound('least', minimum)),
      rule((text) => !isNumber(text) || isAtLeast(String(maximum), text), numberBound('most', maximum)),
    ),
  )
}

export const wholeNumber = ({ minimum, maximum }: { minimum: number; maximum: number }, missing?: string) =>
  number(0, minimum, maximum, missing)

export function uploadedFile() {
  return z.string().check(checks(rule((text) => text !== SENDING, 'Wait until the file is sent, or stop it')))
}

/** Empty text means null. */
export function oneOf<const Value extends string | null>({ enum: values }: { enum: readonly Value[] }) {
  type Text = Value extends null ? '' : Value
  return z.enum(values.map((value) => (value ?? '') as Text))
}

export function day(missing?: string) {
  return z.string().check(checks(required(missing), whole(isDay, 'date')))
}

export function linkedRow(missing?: string) {
  return z.string().check(checks(required(missing)))
}

export function instant(missing?: string) {
  return z.string().check(checks(required(missing), whole(isInstant, 'date and time')))
}

export function decimal(
  { 'x-decimal': { minimum, maximum } }: { 'x-decimal': { minimum: string; maximum: string } },
  missing?: string,
) {
  return number(placesOf(maximum), minimum, maximum, missing)
}
