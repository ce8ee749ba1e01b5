import * as z from 'zod/mini'
import { type Bound, numberBound, type Side } from '../number-text'

z.config({ localeError: describe })

function describe(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'Required'
      if (issue.expected === 'date') return 'Invalid date'
      return `Expected ${issue.expected}, received ${z.core.util.parsedType(issue.input)}`
    case 'too_small':
      return describeBound(issue, 'least', issue.minimum)
    case 'too_big':
      return describeBound(issue, 'most', issue.maximum)
    case 'invalid_format':
      return issue.format === 'email' ? 'Invalid email' : 'Invalid input'
    case 'invalid_value':
      return 'Invalid enum value'
    default:
      return 'Invalid input'
  }
}

export const stringBound = (side: Side, bound: Bound): string => `String must contain at ${side} ${bound} character(s)`

function describeBound(issue: { origin: string; inclusive?: boolean }, side: Side, bound: Bound): string {
  return issue.origin === 'string' ? stringBound(side, bound) : numberBound(side, bound, issue.inclusive)
}
