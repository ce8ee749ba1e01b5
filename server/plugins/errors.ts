import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type RefusalKind } from '../domain/errors.ts'
import { isUnavailable } from '../store/unavailable.ts'
import { describeFaults } from './validation.ts'

const statusOfRefusal: Record<RefusalKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-many': 429,
  busy: 503,
}

/** Every error of the server, as `{detail}` with the status of DECISIONS' table. There is no second place that does this. */
export function setErrorHandlers(app: FastifyInstance): void {
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply))
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) {
    if (error.kind === 'unauthenticated') reply.header('www-authenticate', 'Bearer')
    if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
    return reply.code(statusOfRefusal[error.kind]).send({ detail: error.message })
  }
  if (error.validation) {
    return reply.code(422).send({ detail: describeFaults(error.validation, error.validationContext ?? 'body') })
  }
  if (isMalformedBody(error)) {
    return reply.code(422).send({ detail: [{ loc: ['body'], msg: 'JSON decode error', type: 'json_invalid' }] })
  }
  if (isUnavailable(error)) {
    request.log.error({ err: error }, 'the database does not answer')
    return reply.code(503).header('retry-after', 5).send({ detail: 'Service temporarily unavailable' })
  }
  const { statusCode = 500 } = error
  if (statusCode < 500) return reply.code(statusCode).send({ detail: plainTexts[statusCode] ?? error.message })
  request.log.error({ err: error }, 'a request failed')
  return reply.code(statusCode).send({ detail: 'Internal Server Error' })
}

const plainTexts: Record<number, string> = {
  413: 'Request body is too large',
  415: 'Unsupported media type',
}

function isMalformedBody(error: FastifyError): boolean {
  return error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error.code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
}
