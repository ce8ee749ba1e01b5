import { CancelledError } from '@tanstack/react-query'
import type { SecondStep } from '@/client/types.gen'
import { countText } from '@/lib/text'

const statusNames: Partial<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  422: 'Validation Error',
  423: 'Locked',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
}

/** An error response of the API. Only this file inspects it. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly url: string
  readonly status: number
  readonly statusText: string
  readonly body: unknown
  readonly hadSession: boolean
  readonly retryAfter: number | undefined
  readonly requestId: string | undefined

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
    this.requestId = response.headers?.get('X-Request-Id') ?? undefined
  }
}

/** The text of `detail`, the first message of a list, or a generic message. */
export function errorMessage(error: unknown, generic = 'Something went wrong.'): string {
  if (error instanceof UserError || error instanceof ForeignAnswer) return error.message
  const given = givenMessage(error)
  // This message is written for operators.
  if (given === 'SECRET_KEY is not set') return 'Authenticator apps are not available here. Ask your administrator.'
  return given ?? generic
}

function givenMessage(error: unknown): string | undefined {
  const detail = fieldOf(error, 'detail')
  const message: unknown = Array.isArray(detail) ? (detail[0] as { msg?: unknown } | null | undefined)?.msg : detail
  return typeof message === 'string' && message !== '' ? message : undefined
}

export function errorNote(error: unknown): string | undefined {
  return [adviceOf(error), requestIdNote(error)].filter(Boolean).join(' ') || undefined
}

export function requestIdNote(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.status < 500 || error.requestId === undefined) return undefined
  return `Request ID: ${error.requestId}`
}

const MAX_BODY = 4000

const exchanges = new WeakMap<Error, { request: Request; response: Response | undefined }>()

export function keepExchange<Kind extends Error>(error: Kind, request: Request, response?: Response): Kind {
  exchanges.set(error, { request, response })
  return error
}

export function errorDetails(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)]
  const { request, response } = exchanges.get(error) ?? {}
  const id = response?.headers.get('X-Request-Id')
  const body = error instanceof ApiError && error.body
  return [
    error.message,
    request && `Request: ${request.method} ${request.url}`,
    response && `Status: ${response.status} ${response.statusText}`.trim(),
    id && `Request ID: ${id}`,
    body && `Body: ${typeof body === 'string' ? body : JSON.stringify(body)}`.slice(0, MAX_BODY),
  ].filter((line) => typeof line === 'string' && line !== '') as string[]
}

function adviceOf(error: unknown): string | undefined {
  const given = givenMessage(error)
  // The server refuses to delete a row to which other rows link (server/links/rules.ts).
  if (given !== undefined && hasStatus(error, 409) && / links? to /.test(given)) return `${given}.`
  if (error instanceof ForeignAnswer) return 'Your network may need a log-in first, or a proxy may be out of order.'
  if (error instanceof ApiError && error.retryAfter !== undefined) return waitText(error.retryAfter)
  return given === undefined ? failureReason(error) : undefined
}

function waitText(seconds: number): string {
  const [length, unit] = seconds < 60 ? [1, 'second'] : seconds < 3600 ? [60, 'minute'] : [3600, 'hour']
  return `Try again in ${countText(Math.max(1, Math.ceil(seconds / length)), unit)}.`
}

/** Ignores the header if it is a date, because rate limits send seconds. */
function toSeconds(retryAfter: string | null | undefined): number | undefined {
  return retryAfter && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : undefined
}

/** No response came, or it was cut off. Only `src/data/api/setup.ts` throws it. */
export class Unreachable extends Error {
  override name = 'Unreachable'

  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
  }
}

/** The response is not from the API, but from a proxy or a network's login page. */
export class ForeignAnswer extends Error {
  override name = 'ForeignAnswer'

  constructor() {
    super(`The answer did not come from ${import.meta.env.VITE_APP_NAME}.`)
  }
}

export class CodeLoadError extends Error {
  override name = 'CodeLoadError'

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

export class UserError extends Error {
  override name = 'UserError'
}

/** The user has cancelled, or the session of the request is over. */
export class Cancelled extends Error {
  override name = 'Cancelled'
}

export class SaveConflict extends Error {
  override name = 'SaveConflict'
  readonly server: unknown

  constructor(server: unknown, options?: ErrorOptions) {
    super('This was changed or deleted elsewhere', options)
    this.server = server
  }
}

export const isGone = (error: unknown): boolean => hasStatus(error, 404)

export const isMissing = (error: unknown): boolean => hasStatus(error, 404, 422)

/** The link's token is invalid, or its account was deleted. */
export const isLinkRefused = (error: unknown): boolean => hasStatus(error, 400, 404)

export const isOfOtherAccount = (error: unknown): boolean =>
  hasStatus(error, 400) && fieldOf(error, 'other_account') === true

export const secondStepOf = (error: unknown): SecondStep | undefined =>
  hasStatus(error, 400) ? (fieldOf(error, 'second_factor') as SecondStep | undefined) : undefined

/** The log-in has expired, or the account has changed. */
export const isLogInOver = (error: unknown): boolean => hasStatus(error, 409, 410)

export const isChanged = (error: unknown): boolean => hasStatus(error, 412)

/** The session has ended or lost its permission. */
export const endsSession = (error: unknown): boolean => hasStatus(error, 401, 403) && error.hadSession

/** The account may be gone, for which some back ends answer 400 or 404. Reading the account tells. */
export const mayAccountBeGone = (error: unknown): boolean => hasStatus(error, 400, 404) && error.hadSession

export const NEEDS_REAUTHENTICATION = 423

export function isOfSession(error: unknown): boolean {
  const hadSession = error instanceof ApiError && error.hadSession
  return hadSession || error instanceof Cancelled || error instanceof CancelledError
}

/** Whether no message is needed: the user cancelled, or a form or a page shows the error. */
export function isSilent(error: unknown): boolean {
  const isHandled = endsSession(error) || isOfOtherAccount(error)
  return isHandled || error instanceof Cancelled || error instanceof SaveConflict
}

export function isTransient(error: unknown): boolean {
  if (error instanceof ApiError) return error.status >= 500 || error.status === 429
  return [Unreachable, ForeignAnswer, CodeLoadError].some((kind) => error instanceof kind)
}

export function failureReason(error: unknown): string | undefined {
  if (error instanceof Unreachable) return navigator.onLine ? error.message : 'You are offline.'
  if (error instanceof CodeLoadError)
    return navigator.onLine ? 'The code of this page could not be loaded.' : 'You are offline.'
  if (error instanceof ForeignAnswer) return error.message
  return error instanceof ApiError ? `The server answered “${statusNames[error.status] ?? error.status}”.` : undefined
}

export function refusedFields(error: unknown): [key: string, reason: string][] {
  const detail = fieldOf(error, 'detail')
  if (typeof detail === 'string' && /\bemail\b.*\balready exists\b|\bchanges addresses here\b/.test(detail))
    return [['email', detail]]
  if (!Array.isArray(detail)) return []
  return detail.flatMap((entry: { loc?: unknown; msg?: unknown } | null): ReturnType<typeof refusedFields> => {
    const [part, key] = Array.isArray(entry?.loc) ? (entry.loc as unknown[]) : []
    const reason = typeof entry?.msg === 'string' ? entry.msg : ''
    return part === 'body' && typeof key === 'string' ? [[key, reason]] : []
  })
}

function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return error instanceof ApiError && statuses.includes(error.status)
}

function fieldOf(error: unknown, name: string): unknown {
  const body = error instanceof ApiError ? error.body : undefined
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
}
