import type { ValidationError } from '../../contract/types.gen.ts'

/** An error response. HTTP code throws it; server/platform/http/errors.ts sends it. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly detail: string | ValidationError[]
  readonly headers: Readonly<Record<string, string>>
  /** Further members of the body, which openapi.json declares. */
  readonly more: Readonly<Record<string, unknown>>

  constructor(
    status: number,
    detail: string | ValidationError[],
    headers: Record<string, string> = {},
    more: Record<string, unknown> = {},
  ) {
    super(typeof detail === 'string' ? detail : 'Validation error')
    this.status = status
    this.detail = detail
    this.headers = headers
    this.more = more
  }
}
