import type { Services } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'

export function passwordLogInOff({ config }: Services, kind: 'invalid' | 'conflict' = 'invalid'): DomainError {
  return new DomainError(kind, `Log in with ${config.oidc?.name}`)
}
