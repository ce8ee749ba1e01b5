import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalKind } from '../domain/errors.ts'
import { isUnavailable } from '../store/unavailable.ts'
import { POLICY_OF_DATA } from './security-headers.ts'
import { describeFaults } from './validation.ts'

const statusOfRefusal: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  changed: 412,
  'weak-password': 422,
  'too-many': 429,
  busy: 503,
}

/** Seconds after which a database that is away may be back. */
const RETRY_AFTER = 5

/** How long a client may take to read that what it sent is not HTTP, and to hang up. */
const LINGER_MS = 1_000

/** Every error of the server, as `{detail}` with its status. There is no second place that does this. */
export function setErrorHandlers(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply))
}

/** For errors that come before there is a route: an address that cannot be decoded. */
export function answerFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  reply.header('cache-control', 'no-store')
  answerError(error, request, reply)
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return answerRefusal(error, reply)
  if (error.validation) {
    return reply.code(422).send({ detail: describeFaults(error.validation, error.validationContext ?? 'body') })
  }
  if (isMalformedBody(error)) {
    return reply.code(422).send({ detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] })
  }
  // One with a status is Fastify's: a client that breaks off its upload ends in ECONNRESET, too.
  if (error.statusCode === undefined && isUnavailable(error)) {
    request.log.error({ err: error }, 'the database does not answer')
    return reply.code(503).header('retry-after', RETRY_AFTER).send({ detail: 'Service temporarily unavailable' })
  }
  const { statusCode = 500 } = error
  if (statusCode < 500) return reply.code(statusCode).send({ detail: plainTexts[statusCode] ?? 'Bad Request' })
  request.log.error({ err: error }, 'a request failed')
  return reply.code(statusCode).send({ detail: 'Internal Server Error' })
}

function answerRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  const { kind, message, retryAfter, field } = refusal
  if (kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  const detail = field === undefined ? message : [{ loc: ['body', field], msg: message, type: kind }]
  return reply.code(statusOfRefusal[kind]).send({ detail })
}

/** Fastify's own messages quote the request. */
const plainTexts: Record<number, string> = {
  404: 'Not Found',
  408: 'Request Timeout',
  413: 'Request body is too large',
  414: 'URI Too Long',
  415: 'Unsupported media type',
}

function isMalformedBody(error: FastifyError): boolean {
  return error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
}

/** For answers that no route and no hook has a hand in. */
function bareAnswer(detail: string): { headers: Record<string, string>; body: string } {
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

/** What is not HTTP, or too much of it: Node gives up before there is a request, and leaves the answer to us. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  if (isBeingAnswered(socket)) return void socket.destroy()
  const [status, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'Request headers are too large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'Request Timeout']
        : ['400 Bad Request', 'Bad Request']
  // Node would go on reading, and keep a copy of every piece for an error that it tells us each time.
  socket.pause()
  const { headers, body } = bareAnswer(detail)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  // Who never hangs up would keep the connection, and the server from stopping. At once, our answer might get lost.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

/** Whether an answer has begun, which ours would end up in the middle of. Node's own handler looks at the same. */
function isBeingAnswered(socket: Socket & { _httpMessage?: ServerResponse | null }): boolean {
  const { _httpMessage: answer } = socket
  return answer?.headersSent === true
}

/** `Expect` with anything but `100-continue`: Node asks before there is a request, too. */
export function answerExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { headers, body } = bareAnswer('Expectation Failed')
  response.writeHead(417, headers).end(body)
}
