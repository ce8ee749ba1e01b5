import { randomUUID } from 'node:crypto'
import type { Writable } from 'node:stream'
import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { networkAddress } from '../lib/network-address.ts'
import { isApiRequest } from './request-path.ts'

type LogOptions = Pick<FastifyServerOptions, 'logController' | 'genReqId'> & { logger: object }

/**
 * JSON lines with a request id. A request is named by its route and never by its address, which can hold a person's
 * e-mail address; headers and bodies are not logged at all, so neither are passwords and tokens.
 * @param stream where to, instead of the standard output
 */
export function logOptions(level: string, stream?: Writable): LogOptions {
  const serializers = { err: serializeError, req: () => undefined, res: () => undefined }
  return {
    logger: { level, serializers, ...(stream && { stream }) },
    logController: new RequestLog(),
    genReqId: () => randomUUID(),
  }
}

/** Databases put the values of a row into an error's other properties. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: unknown }
  return { type: error.name, message: error.message, code, stack: error.stack }
}

/** One line for each answer of the API. */
class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (!isApiRequest(request)) return
    const { method, routeOptions, ip, actor } = request
    const facts = {
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ip: networkAddress(ip),
      user: actor?.user.id,
    }
    if (error) request.log.error({ ...facts, err: error }, 'request broken off')
    else request.log.info(facts, 'request')
  }

  override routeNotFound(): void {}
}
