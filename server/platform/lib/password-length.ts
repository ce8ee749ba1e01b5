import contract from '../../../openapi.json' with { type: 'json' }
import { countCodePoints } from './code-points.ts'

const { minLength, maxLength } = contract.components.schemas.Password

/** Checks passwords that do not come through the API. @returns what is wrong with the length */
export function passwordLengthError(password: string): string | undefined {
  const length = countCodePoints(password)
  if (length < minLength) return `must have at least ${minLength} characters`
  return length > maxLength ? `must have at most ${maxLength} characters` : undefined
}

export function isPasswordTooLong(password: string): boolean {
  return countCodePoints(password) > maxLength
}
