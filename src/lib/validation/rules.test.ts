import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { DescriptionSchema, TitleSchema } from '@/client/schemas.gen'
import { INCOMPLETE } from '../day-or-time'
import { SENDING } from '../file-text'
import {
  confirmation,
  day,
  decimal,
  email,
  fullName,
  instant,
  matching,
  optionalPassword,
  oneOf,
  optionalText,
  password,
  profileName,
  requiredText,
  uploadedFile,
  wholeNumber,
} from './rules'

function messages(schema: z.ZodMiniType, value: unknown): string[] {
  const result = z.safeParse(schema, value)
  return result.success ? [] : result.error.issues.map((issue) => issue.message)
}

describe('email', () => {
  test.each(['', '   '])('SPEC 5: %j shows only that the address is required', (value) => {
    expect(messages(email(), value)).toEqual(['Email is required'])
  })

  test.each(['a@b', 'a', '@b.c', 'a@b.', 'a b@c.d', 'a@b..c', 'a@-b.c', 'a@b.c\nd@e.f'])(
    'SPEC 5: %j is malformed',
    (value) => {
      expect(messages(email(), value)).toEqual(['Invalid email address'])
    },
  )

  test.each([
    'a@b.c',
    ' Ada@Example.com ',
    "o'hara+x@sub.example.co.uk",
    'jörg@müller.de',
    'jo\u0308rg@mu\u0308ller.de',
    '用户@例子.公司',
  ])('%j is a valid address', (value) => {
    expect(messages(email(), value)).toEqual([])
  })

  test('a malformed address that is too long shows both messages', () => {
    expect(messages(email(), 'x'.repeat(256))).toEqual([
      'Invalid email address',
      'String must contain at most 255 character(s)',
    ])
  })
})

describe('passwords', () => {
  test('SPEC 5: required, then at least 8 characters', () => {
    expect(messages(password(), '')).toEqual(['Password is required'])
    expect(messages(password(), '1234567')).toEqual(['Password must be at least 8 characters'])
    expect(messages(password(), '        ')).toEqual([])
  })

  test('lengths count code points', () => {
    expect(messages(password(), '👩'.repeat(7))).toHaveLength(1)
    expect(messages(password(), '👩'.repeat(256))).toEqual([])
    expect(messages(password(), '👩'.repeat(257))).toEqual(['String must contain at most 256 character(s)'])
  })

  test('SPEC 5: an optional password may be empty', () => {
    expect(messages(optionalPassword(), '')).toEqual([])
    expect(messages(optionalPassword(), 'short')).toEqual(['Password must be at least 8 characters'])
  })

  test('SPEC 5: the confirmation is required and must match, also while other fields are invalid', () => {
    const schema = z
      .object({ email: email(), password: password(), confirm_password: confirmation() })
      .check(matching('password'))
    const wrong = { email: 'a@b', password: 'long enough' }
    expect(messages(schema, { ...wrong, confirm_password: '' })).toEqual([
      'Invalid email address',
      'Password confirmation is required',
    ])
    expect(messages(schema, { email: '', password: '', confirm_password: 'other' })).toEqual([
      'Email is required',
      'Password is required',
      'The passwords do not match',
    ])
    expect(messages(schema, { ...wrong, confirm_password: 'other' })).toEqual([
      'Invalid email address',
      'The passwords do not match',
    ])
  })
})

test('SPEC 5: names', () => {
  expect(messages(fullName('Full Name is required'), ' ')).toEqual(['Full Name is required'])
  expect(messages(fullName(), '')).toEqual([])
})

const invisible = [
  '\u200B',
  '\u202E\u202C',
  '\u00AD \uFEFF',
  '\u3164',
  '\u2800\u2800',
  '\u0007',
  '\u{E0041}'.repeat(100),
]

test('names and titles with only invisible characters are rejected', () => {
  for (const text of invisible) {
    expect(messages(requiredText('Title is required', TitleSchema), text)).toEqual([
      'At least one character must be visible',
    ])
    for (const rule of [fullName('Full Name is required'), fullName(), profileName()])
      expect(messages(rule, text)[0]).toBe('At least one character must be visible')
  }
  for (const text of ['\u200Bx', '👩\u200D👧', '\u202Eשלום', '\u2800⠁'])
    expect(messages(requiredText('x', TitleSchema), text)).toEqual([])
})

test('SPEC 5: titles and descriptions', () => {
  expect(messages(requiredText('Title is required.', TitleSchema), '  ')).toEqual(['Title is required.'])
  expect(messages(requiredText('Title is required', TitleSchema), 'x'.repeat(256))).toEqual([
    'String must contain at most 255 character(s)',
  ])
  expect(messages(optionalText(DescriptionSchema), 'x'.repeat(10_001))).toHaveLength(1)
})

test('whole numbers', () => {
  const bounds = { minimum: -5, maximum: 5 }
  for (const text of ['', '0', '-5', '+5']) expect(messages(wholeNumber(bounds), text)).toEqual([])
  expect(messages(wholeNumber(bounds, 'Priority is required'), ' ')).toEqual(['Priority is required'])
  for (const text of ['x', '1e3', '0x1', '75-', '7a'])
    expect(messages(wholeNumber(bounds), text)).toEqual(['Must be a whole number'])
  for (const text of ['1.5', '12,50', '1,234'])
    expect(messages(wholeNumber(bounds), text)).toEqual(['Must be a whole number, without a point or a comma'])
  expect(['−４', ' 4 ', '-0'].map((text) => z.parse(wholeNumber(bounds), text))).toEqual(['-4', '4', '0'])
  expect(messages(wholeNumber(bounds), '-6')).toEqual(['Number must be greater than or equal to -5'])
  expect(messages(wholeNumber(bounds), '6')).toEqual(['Number must be less than or equal to 5'])
})

test('days', () => {
  for (const text of ['', '2024-02-29']) expect(messages(day(), text)).toEqual([])
  expect(messages(day('Due on is required'), '')).toEqual(['Due on is required'])
  for (const text of ['2026-02-29', '21.11.2026', '2026-11-21T00:00Z'])
    expect(messages(day(), text)).toEqual(['Invalid date'])
  expect(messages(day(), '0026-11-21')).toEqual(['Enter the year with four digits'])
  expect(messages(day(), INCOMPLETE)).toEqual(['Enter the whole date'])
})

test('times are those of the contract', () => {
  for (const text of ['', '2026-11-21T14:03:00.000Z']) expect(messages(instant(), text)).toEqual([])
  expect(messages(instant('Due At is required'), '')).toEqual(['Due At is required'])
  expect(messages(instant(), '2026-11-21T14:03')).toEqual(['Invalid date and time'])
  expect(messages(instant(), INCOMPLETE)).toEqual(['Enter the whole date and time'])
  for (const text of ['0026-11-21T14:03', '0026-11-21T14:03:00.000Z'])
    expect(messages(instant(), text)).toEqual(['Enter the year with four digits'])
})

test('decimals get the form of the contract', () => {
  const rule = decimal({ 'x-decimal': { minimum: '0.00', maximum: '99.99' } })
  expect(z.parse(rule, ' 7,5 ')).toBe('7.50')
  for (const text of ['', '0', '99.99', '-0']) expect(messages(rule, text)).toEqual([])
  const required = decimal({ 'x-decimal': { minimum: '0.00', maximum: '99.99' } }, 'Price is required')
  expect(messages(required, ' ')).toEqual(['Price is required'])
  for (const text of ['１２．５０', '12,5']) expect(z.parse(rule, text)).toBe('12.50')
  expect(messages(rule, '1,234')).toEqual(['Must be a number without separators of thousands, such as 1234.50'])
  for (const text of ['x', '1.005', '1e3'])
    expect(messages(rule, text)).toEqual(['Must be a number with at most 2 digits after the point'])
  expect(messages(rule, '-0.01')).toEqual(['Number must be greater than or equal to 0.00'])
  expect(messages(rule, '100')).toEqual(['Number must be less than or equal to 99.99'])
})

const only = (schema: z.ZodMiniType, value: unknown) => messages(schema, value).join()

test('SPEC 8: zod’s default messages', () => {
  expect(only(z.string(), undefined)).toBe('Required')
  expect(only(z.string(), 5)).toBe('Expected string, received number')
  expect(only(z.number(), null)).toBe('Expected number, received null')
  expect(only(z.string(), [])).toBe('Expected string, received array')
  expect(only(z.email(), 'x')).toBe('Invalid email')
  expect(only(z.url(), 'x')).toBe('Invalid input')
  expect(only(z.string().check(z.minLength(3)), 'x')).toBe('String must contain at least 3 character(s)')
  expect(only(z.string().check(z.maxLength(1)), 'xx')).toBe('String must contain at most 1 character(s)')
  expect(only(z.number().check(z.minimum(3)), 1)).toBe('Number must be greater than or equal to 3')
  expect(only(z.number().check(z.lt(3)), 5)).toBe('Number must be less than 3')
  expect(only(z.date(), 'x')).toBe('Invalid date')
  expect(only(z.enum(['a']), 'b')).toBe('Invalid enum value')
  expect(only(z.union([z.number(), z.boolean()]), 'x')).toBe('Invalid input')
})

test('a choice is one of its values, or empty where the contract allows null', () => {
  const bounds = { enum: ['open', 'done'] } as const
  expect(messages(oneOf(bounds), 'done')).toEqual([])
  expect(messages(oneOf(bounds), 'other')).toHaveLength(1)
  expect(messages(oneOf(bounds), '')).toHaveLength(1)
  expect(messages(oneOf({ enum: ['open', null] }), '')).toEqual([])
})

test('a file must have been sent', () => {
  expect(messages(uploadedFile(), '')).toEqual([])
  expect(messages(uploadedFile(), SENDING)).toEqual(['Wait until the file is sent, or stop it'])
})
