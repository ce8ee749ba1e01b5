import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'

/**
 * JSON lines with a request id. A request is named by its route and never by its address, which can hold a person's
 * e-mail address; headers and bodies are not logged at all, so neither are passwords and tokens.
 */
export function logOptions(level: string): Pick<FastifyServerOptions, 'logController'> & { logger: object } {
  return { logger: { level }, logController: new RequestLog() }
}

/** One line for each answer of the API. */
class RequestLog extends LogController {
  override incomingRequest(): void {}

  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    if (!request.url.startsWith('/api/')) return
    const { method, routeOptions, ip } = request
    const facts = {
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ip,
    }
    if (error) request.log.error({ ...facts, err: error }, 'request broken off')
    else request.log.info(facts, 'request')
  }

  override routeNotFound(): void {}
}
