/** Reasons to reject a request. server/platform/http/errors.ts maps them to statuses. */
export type DomainErrorKind = InvalidField | OtherKind

/** The contract requires the name of the input in these errors. */
type InvalidField = 'weak-password' | 'required' | 'unprocessable'

type OtherKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'gone'
  | 'precondition-failed'
  | 'not-fresh'
  | 'too-many'
  | 'too-large'
  | 'no-space'
  | 'busy'

export class DomainError extends Error {
  override name = 'DomainError'
  readonly kind: DomainErrorKind
  /** Seconds after which a retry may succeed. */
  readonly retryAfter: number | undefined
  /** The key of the invalid input, if it is a single one. */
  readonly field: string | undefined

  constructor(kind: InvalidField, message: string, more: { field: string })
  constructor(kind: OtherKind, message: string, more?: { retryAfter?: number })
  constructor(kind: DomainErrorKind, message: string, more: { retryAfter?: number; field?: string } = {}) {
    super(message)
    this.kind = kind
    this.retryAfter = more.retryAfter
    this.field = more.field
  }
}

/** The message does not say why the session has ended. */
export function sessionEnded(): DomainError {
  return new DomainError('unauthenticated', 'Could not validate credentials')
}

export function serverBusy(): DomainError {
  return new DomainError('busy', 'The server is busy, please try again', { retryAfter: 2 })
}
