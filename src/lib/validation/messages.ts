import * as z from 'zod/mini'

z.config({ localeError: describe })

function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required'
      if (issue.expected === 'date') return 'Invalid date'
      return `Expected ${issue.expected}, received ${nameOf(issue.input)}`
    case 'too_small':
      return describeBound(issue.origin, 'least', issue.inclusive ?? true, issue.minimum)
    case 'too_big':
      return describeBound(issue.origin, 'most', issue.inclusive ?? true, issue.maximum)
    case 'invalid_format':
      return issue.format === 'email' ? 'Invalid email' : 'Invalid input'
    case 'invalid_value':
      return 'Invalid enum value'
    default:
      return 'Invalid input'
  }
}

export const stringBound = (side: 'least' | 'most', bound: number | bigint): string =>
  `String must contain at ${side} ${bound} character(s)`

function describeBound(origin: string, side: 'least' | 'most', inclusive: boolean, bound: number | bigint): string {
  if (origin === 'string') return stringBound(side, bound)
  const comparison = side === 'least' ? 'greater than' : 'less than'
  return `Number must be ${comparison} ${inclusive ? 'or equal to ' : ''}${bound}`
}

function nameOf(input: unknown): string {
  if (input === null) return 'null'
  return Array.isArray(input) ? 'array' : typeof input
}
