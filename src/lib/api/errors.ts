import { countText } from '../range-text'

/** Names of the statuses that the API answers, as a person reads them (SPEC 8). */
const statusNames: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Validation Error',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

/** An answer of the API that is not a success (SPEC 3). Only this file looks inside one. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly body: unknown
  /** The request carried an access token. */
  readonly hadSession: boolean
  /** Seconds after which another try may succeed. */
  readonly retryAfter: number | undefined

  constructor(
    response: Pick<Response, 'url' | 'status' | 'statusText'> & Partial<Pick<Response, 'headers'>>,
    body: unknown,
    hadSession = false,
  ) {
    const { url, status, statusText } = response
    super(
      statusNames[status] ??
        `Generic Error: status: ${status}; status text: ${statusText}; body: ${JSON.stringify(body, undefined, 2)}`,
    )
    this.url = url
    this.status = status
    this.statusText = statusText
    this.body = body
    this.hadSession = hadSession
    this.retryAfter = toSeconds(response.headers?.get('Retry-After'))
  }
}

/** What a person is told: the text of `detail`, the first message of a list, or that something went wrong (SPEC 8). */
export function errorMessage(error: unknown): string {
  if (error instanceof ToldError) return error.message
  const detail = detailOf(error)
  if (typeof detail === 'string' && detail !== '') return detail
  if (Array.isArray(detail)) {
    const message = (detail[0] as { msg?: unknown } | undefined)?.msg
    if (typeof message === 'string' && message !== '') return message
  }
  return 'Something went wrong.'
}

/** What a person can do about it, beside the message: wait, or find a network. */
export function errorNote(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.retryAfter === undefined ? undefined : waitText(error.retryAfter)
  // `fetch` fails so without an answer.
  return error instanceof TypeError && !navigator.onLine ? 'You are offline.' : undefined
}

/** `Try again in 12 minutes.` */
function waitText(seconds: number): string {
  const [count, unit] = (
    [
      [seconds, 'second'],
      [seconds / 60, 'minute'],
      [seconds / 3600, 'hour'],
    ] as const
  ).findLast(([many]) => many >= 1) ?? [1, 'second']
  return `Try again in ${countText(Math.ceil(count), unit)}.`
}

/** Of a `Retry-After` header; its other form, a date, is not used for limits. */
function toSeconds(retryAfter: string | null | undefined): number | undefined {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** A failure with a message for the person. */
export class ToldError extends Error {
  override name = 'ToldError'
}

/** The answer to a request of an earlier session. */
export class StaleAnswer extends Error {
  override name = 'StaleAnswer'
}

/** The resource of a form was changed or deleted elsewhere. The form reports it. */
export class SaveConflict extends Error {
  override name = 'SaveConflict'
  /** The stored resource. `null`: it was deleted. */
  readonly stored: unknown

  constructor(stored: unknown, options?: ErrorOptions) {
    super('This was changed or deleted elsewhere', options)
    this.stored = stored
  }
}

/** No such resource. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** No such resource, or no such id. */
export function isMissing(error: unknown): boolean {
  return isGone(error) || (error instanceof ApiError && error.status === 422)
}

/** The token of a link does not hold, or its account is gone. */
export function isLinkRefused(error: unknown): boolean {
  return isGone(error) || (error instanceof ApiError && error.status === 400)
}

/** The precondition failed. */
export function isChanged(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412
}

/** The session this request was made in is over, or may not do this (SPEC 4). */
export function endsSession(error: unknown): boolean {
  return error instanceof ApiError && error.hadSession && (error.status === 401 || error.status === 403)
}

/**
 * The account may be gone. Our own server answers 401 then; others of the same contract answer any request of a deleted
 * account with 404 and of a deactivated one with 400, as they do for other reasons. Reading the account itself decides.
 */
export function isAccountInDoubt(error: unknown): boolean {
  return error instanceof ApiError && error.hadSession && (error.status === 400 || error.status === 404)
}

/** No toast: the log-in page or the form reports it. */
export function isSilent(error: unknown): boolean {
  return endsSession(error) || error instanceof StaleAnswer || error instanceof SaveConflict
}

/** Whether the same request may succeed later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  return !(error instanceof StaleAnswer)
}

/** The keys of the body that the API refuses, in its order: those that a 422 names, or an address that is taken. */
export function refusedFields(error: unknown): string[] {
  const detail = detailOf(error)
  // Others of the same contract word it otherwise.
  if (typeof detail === 'string' && /\bemail\b.*\balready exists\b/.test(detail)) return ['email']
  if (!Array.isArray(detail)) return []
  return detail.flatMap((entry: { loc?: unknown } | null) => {
    const [part, key] = Array.isArray(entry?.loc) ? (entry.loc as unknown[]) : []
    return part === 'body' && typeof key === 'string' ? [key] : []
  })
}

function detailOf(error: unknown): unknown {
  if (!(error instanceof ApiError)) return undefined
  const { body } = error
  return typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined
}
