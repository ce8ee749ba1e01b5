import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '../database/unavailable.ts'
import { DomainError, type DomainErrorKind } from '../errors.ts'
import { HttpError } from './http-error.ts'
import { POLICY_OF_DATA } from './plugins/security-headers.ts'
import { describeErrors } from './validation.ts'

const statusOfDomainError: Record<DomainErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'precondition-failed': 412,
  'weak-password': 422,
  required: 422,
  unprocessable: 422,
  'not-fresh': 423,
  'too-many': 429,
  'too-large': 413,
  'no-space': 507,
  busy: 503,
}

/** Fastify's own messages quote the request. */
const messagesByStatus: Record<number, string> = {
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Request body is too large',
  414: 'URI Too Long',
  415: 'Unsupported media type',
}

/** The database may be back after the time in `Retry-After`. */
const databaseAway = new HttpError(503, 'Service temporarily unavailable', { 'retry-after': '5' })

/** For logs and metrics only, because the client has closed the connection. nginx uses the same status. */
const clientGone = new HttpError(499, 'The client has left')

/** The time for a client to read the error and close the connection. */
const LINGER_MS = 1_000

/** The error to send for a thrown one. @returns `undefined` for an error of the server */
function toHttpError(error: Error & Partial<FastifyError>): HttpError | undefined {
  if (error instanceof HttpError) return error
  if (error instanceof DomainError) return fromDomainError(error)
  if (error.name === 'AbortError') return clientGone
  if (error.validation) return new HttpError(422, describeErrors(error.validation, error.validationContext ?? 'body'))
  if (['FST_ERR_CTP_INVALID_JSON_BODY', 'FST_ERR_CTP_EMPTY_JSON_BODY'].includes(error.code ?? ''))
    return new HttpError(422, [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }])
  // Errors with a status come from Fastify, not from the database: an upload that the client aborts is ECONNRESET, too.
  if (error.statusCode === undefined && isUnavailable(error)) return databaseAway
  const { statusCode = 500 } = error
  return statusCode < 500 ? new HttpError(statusCode, messagesByStatus[statusCode] ?? 'Bad Request') : undefined
}

function fromDomainError({ kind, message, retryAfter, field }: DomainError): HttpError {
  const detail = field === undefined ? message : [{ loc: ['body', field], msg: message, type: kind }]
  return new HttpError(statusOfDomainError[kind], detail, {
    ...(kind === 'unauthenticated' && { 'www-authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
  })
}

const HEADERS_OF_CONTENT = ['content-type', 'content-length', 'content-disposition']

export function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const sent = toHttpError(error) ?? new HttpError(500, 'Internal Server Error')
  if (sent.status === 500) request.log.error({ err: error }, 'request failed')
  if (sent === databaseAway) request.log.error({ err: error }, 'database unavailable')
  // Removes the headers of a stream that fails before it has sent anything.
  if (!reply.raw.headersSent) for (const name of HEADERS_OF_CONTENT) reply.raw.removeHeader(name)
  const body = { detail: sent.detail, ...sent.more }
  return reply.code(sent.status).headers(sent.headers).send(body)
}

/** Sends an error that happens before routing, for a URL that cannot be decoded. */
export function sendFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ 'cache-control': 'no-store', 'x-request-id': request.id })
  sendError(error, request, reply)
}

function bareResponse({ detail }: HttpError) {
  const body = JSON.stringify({ detail })
  const headers = {
    Connection: 'close',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY_OF_DATA,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  }
  return { headers, body }
}

const clientErrors: Partial<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(431, 'Request headers are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError(408, 'Request Timeout'),
}

/** Responds to invalid HTTP, oversized headers and timeouts, for which Node creates no request. */
export function sendClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  if (hasBegunResponse(socket)) return void socket.destroy()
  const sent = clientErrors[error.code ?? ''] ?? new HttpError(400, 'Bad Request')
  // Otherwise Node reads on, and reports an error with a copy of the data for every chunk.
  socket.pause()
  const { headers, body } = bareResponse(sent)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${sent.status} ${STATUS_CODES[sent.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // An open connection would prevent the server from stopping. Closing it at once could lose the response.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Whether a response has begun. A second one would corrupt it. Node's own handler reads the same field. */
function hasBegunResponse({ _httpMessage: response }: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  return response?.headersSent === true
}

/**
 * Responds to an `Expect` header other than `100-continue`, for which Node emits `checkExpectation` and not `request`.
 */
export function sendExpectationFailed(_request: IncomingMessage, response: ServerResponse): void {
  const sent = new HttpError(417, 'Expectation Failed')
  const { headers, body } = bareResponse(sent)
  response.writeHead(sent.status, headers).end(body)
}
