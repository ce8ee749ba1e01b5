import type { Services } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'

/** What to say where PASSWORD_LOG_IN is off. */
export function passwordsOff({ config }: Services, kind: 'invalid' | 'conflict' = 'invalid'): DomainError {
  return new DomainError(kind, `Log in with ${config.oidc?.name}`)
}
