/** Why the domain refuses. The status of each is in server/http/errors.ts. */
export type DomainErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition-failed'
  | 'weak-password'
  | 'too-many'
  | 'busy'

/** An expected refusal, with a text for the person who asked. */
export class DomainError extends Error {
  override name = 'DomainError'
  readonly kind: DomainErrorKind
  /** Seconds after which another try may succeed. */
  readonly retryAfter: number | undefined
  /** The key of the input that is at fault, where it is one alone. */
  readonly field: string | undefined

  constructor(kind: DomainErrorKind, message: string, more: { retryAfter?: number; field?: string } = {}) {
    super(message)
    this.kind = kind
    this.retryAfter = more.retryAfter
    this.field = more.field
  }
}

/** For any session that does not hold, without the reason. */
export function sessionOver(): DomainError {
  return new DomainError('unauthenticated', 'Could not validate credentials')
}

/** For more work than the server takes on at a time. */
export function serverBusy(): DomainError {
  return new DomainError('busy', 'The server is busy, please try again', { retryAfter: 2 })
}
