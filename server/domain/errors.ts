/** Why the domain will not do what it was asked. What status a caller sees for it is plugins/errors.ts's business. */
export type RefusalKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'changed'
  | 'weak-password'
  | 'too-many'
  | 'busy'

/** An expected "no", with a text for the person who asked. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly kind: RefusalKind
  /** Seconds after which trying again may help. */
  readonly retryAfter: number | undefined
  /** The key of the input that is at fault, where it is one alone. */
  readonly field: string | undefined

  constructor(kind: RefusalKind, message: string, more: { retryAfter?: number; field?: string } = {}) {
    super(message)
    this.kind = kind
    this.retryAfter = more.retryAfter
    this.field = more.field
  }
}

/** For any session that does not hold, without saying why. */
export function sessionOver(): Refusal {
  return new Refusal('unauthenticated', 'Could not validate credentials')
}
