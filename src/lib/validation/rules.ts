import * as z from 'zod/mini'
import { EmailSchema, FullNameSchema, LogInCodeSchema, PasswordSchema } from '@/client/schemas.gen'
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
  (holds: (text: string) => boolean, message: string | ((text: string) => string)): Rule =>
  (text) => {
    if (text === '' || holds(text)) return null
    return typeof message === 'string' ? message : message(text)
  }

/** The API counts code points, not UTF-16 units. */
const lengthOf = (text: string): number => Array.from(text).length

const atMost = (maximum: number, message = stringBound('most', maximum)): Rule =>
  rule((text) => lengthOf(text) <= maximum, message)

function checks(rules: readonly Rule[]) {
  return z.check<string>(({ value, issues }) => {
    for (const check of rules) {
      const message = check(value)
      if (message !== null) issues.push({ code: 'custom', message, input: value })
    }
  })
}

const checked = (...rules: readonly Rule[]) => z.string().check(checks(rules))

const tidied = (tidy: (text: string) => string, ...rules: readonly Rule[]) =>
  z.string().check(z.overwrite(tidy), checks(rules))

const trimmed = (...rules: readonly Rule[]) => tidied((text) => text.trim(), ...rules)

const emailPattern = new RegExp(EmailSchema['x-pattern'], 'u')

/** Applies NFKC like the server, except to texts too long for an address, for which this is slow. */
const tidyAddress = (text: string): string => (text.length > 1024 ? text : text.normalize('NFKC')).trim()

export const email = () =>
  tidied(
    tidyAddress,
    required('Email is required'),
    rule((text) => emailPattern.test(text), 'Invalid email address'),
    atMost(EmailSchema.maxLength),
  )

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
export const fullName = (missing?: string) =>
  trimmed(required(missing), ...nameCharacters, atMost(FullNameSchema.maxLength))

/** The profile form has a lower limit than the API. */
export const profileName = () => trimmed(...nameCharacters, atMost(30, 'Full name must be at most 30 characters'))

const passwordLength = [
  rule(
    (text) => lengthOf(text) >= PasswordSchema.minLength,
    `Password must be at least ${PasswordSchema.minLength} characters`,
  ),
  atMost(PasswordSchema.maxLength),
]

const tidyCode = (text: string): string =>
  text.length > LogInCodeSchema.maxLength ? text : text.normalize('NFKC').replaceAll(/[\s\p{Pd}\p{Cf}\u2212]/gu, '')

export const toAppCode = (text: string): string | undefined => /^\d{6}$/.exec(tidyCode(text))?.[0]

export const appCode = () =>
  tidied(
    tidyCode,
    required('Code is required'),
    rule((text) => toAppCode(text) !== undefined, 'Enter the six digits'),
  )

export function logInCode() {
  const { minLength, maxLength } = LogInCodeSchema
  return tidied(
    tidyCode,
    required('Code is required'),
    rule((text) => lengthOf(text) >= minLength, stringBound('least', minLength)),
    atMost(maxLength),
  )
}

export const password = () => checked(required('Password is required'), ...passwordLength)

/** For forms in which an empty field keeps the password. */
export const optionalPassword = () => checked(...passwordLength)

/** For log-in, because older passwords may be shorter. */
export const existingPassword = () => checked(required('Password is required'))

export const confirmation = (message = 'Password confirmation is required') => checked(required(message))

/** @param isRequired whether the rule `confirmation` already refuses an empty confirmation */
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

export const requiredText = (missing: string, bounds: Parameters<typeof visible>[0]) =>
  trimmed(required(missing), visible(bounds), atMost(bounds.maxLength))

export const optionalText = ({ maxLength }: { maxLength: number }) => checked(atMost(maxLength))

function number(places: number, minimum: number | string, maximum: number | string, missing?: string) {
  const read = (text: string) => readNumber(text, places)
  const isNumber = (text: string): boolean => read(text).problem === undefined
  return tidied(
    (text) => read(text.trim()).value ?? text.trim(),
    required(missing),
    (text) => (text === '' ? null : (read(text).problem ?? null)),
    rule((text) => !isNumber(text) || isAtLeast(text, String(minimum)), numberBound('least', minimum)),
    rule((text) => !isNumber(text) || isAtLeast(String(maximum), text), numberBound('most', maximum)),
  )
}

export const wholeNumber = ({ minimum, maximum }: { minimum: number; maximum: number }, missing?: string) =>
  number(0, minimum, maximum, missing)

export const uploadedFile = () => checked(rule((text) => text !== SENDING, 'Wait until the file is sent, or stop it'))

/** Empty text means null. */
export function oneOf<const Value extends string | null>({ enum: values }: { enum: readonly Value[] }) {
  type Text = Value extends null ? '' : Value
  return z.enum(values.map((value) => (value ?? '') as Text))
}

export const day = (missing?: string) =>
  checked(
    required(missing),
    rule(isDay, (text) => problemOf(text, 'date')),
  )

export const linkedRow = (missing?: string) => checked(required(missing))

export const instant = (missing?: string) =>
  checked(
    required(missing),
    rule(isInstant, (text) => problemOf(text, 'date and time')),
  )

export const decimal = (
  { 'x-decimal': { minimum, maximum } }: { 'x-decimal': { minimum: string; maximum: string } },
  missing?: string,
) => number(placesOf(maximum), minimum, maximum, missing)
