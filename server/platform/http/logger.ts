import { type FastifyReply, type FastifyRequest, type FastifyServerOptions, LogController } from 'fastify'
import { networkAddress } from '../lib/network-address.ts'
import { isApiRequest } from './request-path.ts'
import type { LogOutput } from './log-output.ts'
import { type Line, toText } from './text-lines.ts'

type LogOptions = Pick<FastifyServerOptions, 'logController'> & { logger: object }

const WARN = 40

interface LogTarget {
  level: string
  format: 'json' | 'text'
  output: LogOutput
}

/**
 * Adds the request id to lines. Logs the route instead of the URL, which can contain an email address, and neither
 * headers nor bodies, which contain passwords and tokens.
 */
export function logOptions({ level, format, output }: LogTarget): LogOptions {
  const isText = format === 'text'
  const shown = (line: string): string => (isText ? `${toText(JSON.parse(line) as Line)}\n` : line)
  const report = (missing: number): string => {
    const facts = { level: isText ? 'warn' : WARN, time: Date.now(), missing, msg: 'lines of the log were lost' }
    return shown(`${JSON.stringify(facts)}\n`)
  }
  const serializers = { err: serializeError, req: () => undefined, res: () => undefined }
  return {
    logger: {
      level,
      serializers,
      ...(isText && { base: null, formatters: { level: (label: string) => ({ level: label }) } }),
      stream: { write: (line: string) => output.write(shown(line), report) },
    },
    logController: new RequestLog(),
  }
}

/** Omits other properties, because errors of databases contain the values of a row. */
function serializeError(error: unknown): object {
  if (!(error instanceof Error)) return { type: typeof error }
  const { code } = error as { code?: unknown }
  return { type: error.name, message: error.message, code, stack: error.stack }
}

/** Logs one line for each API response. */
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
    if (error) request.log.error({ ...facts, err: error }, 'request aborted')
    else request.log.info(facts, 'request')
  }

  override routeNotFound(): void {}
}
