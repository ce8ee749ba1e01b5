/** Why the domain will not do what it was asked. What status a caller sees for it is plugins/errors.ts's business. */
export type RefusalKind = 'invalid' | 'unauthenticated' | 'forbidden' | 'not-found' | 'conflict' | 'too-many' | 'busy'

/** An expected "no", with a text for the person who asked. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly kind: RefusalKind
  /** Seconds after which trying again may help. */
  readonly retryAfter: number | undefined

  constructor(kind: RefusalKind, message: string, retryAfter?: number) {
    super(message)
    this.kind = kind
    this.retryAfter = retryAfter
  }
}
