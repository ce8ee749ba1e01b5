import fastJson from 'fast-json-stringify'
import type {
  FastifyInstance,
  FastifyRequest,
  FastifySerializerCompiler,
  preHandlerAsyncHookHandler,
  RouteOptions,
} from 'fastify'
import fp from 'fastify-plugin'
import type { RouteHandlers } from '../../../contract/fastify.gen.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import { CHANGES } from '../../queues.ts'
import { closedSignal } from '../closed-signal.ts'
import { BINARY, type Operation, operations } from '../contract.ts'
import { HttpError } from '../http-error.ts'
import { createListQueue } from '../list-queue.ts'
import { validatorCompiler } from '../validation.ts'
import { allowSlowBody } from './request-timeout.ts'

interface ContractOptions {
  handlers: RouteHandlers
  /**
   * Checks the access token of an operation with security, before the body is read.
   * @returns the id of the account
   */
  authorize: (request: FastifyRequest, operation: Operation) => Promise<string>
  /** Checks whether the session or token is sufficient for what the body asks for. */
  authorizeBody: (request: FastifyRequest, operation: Operation) => void
  /** Functions by operation id, which reject a request before its body is read. */
  refusals?: Record<string, () => void>
  /** Limits of bodies in bytes, by operation id, which replace the limit of the server. */
  bodyLimits?: Record<string, number>
}

export const contractRoutes = fp<ContractOptions>(
  async (app, { handlers, authorize, authorizeBody, refusals = {}, bodyLimits = {} }) => {
    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
    // The handler of an upload reads the body.
    app.addContentTypeParser(BINARY, (_request, _payload, done) => done(null))
    refuseOtherMethods(app)
    const changes = createFairQueue(CHANGES)
    const enterLists = createListQueue()
    const accounts = new WeakMap<FastifyRequest, string>()

    /** 401 and 403 come before 422. An operation without security ignores a bearer token, even an expired one. */
    async function checkHeaders(operation: Operation, request: FastifyRequest): Promise<void> {
      if (operation.security?.bearer) accounts.set(request, await authorize(request, operation))
      refusals[operation.id]?.()
      checkContentType(operation, request)
      if (operation.isStreamed) allowSlowBody(request.raw)
    }

    function checkBody(operation: Operation): preHandlerAsyncHookHandler[] {
      if (!operation.isFreshWith && !operation.isNotForTokensWith) return []
      return [async (request) => authorizeBody(request, operation)]
    }

    /** Takes a place in the queue of lists or of changes until the client has the response or is gone. */
    function admit({ id, security, method, isList }: Operation): preHandlerAsyncHookHandler[] {
      if (!security) return []
      if (method === 'GET')
        return isList ? [async (request, reply) => enterLists(accounts.get(request) ?? '', request, reply)] : []
      return [
        async (request, reply) => {
          const closed = closedSignal(reply)
          const release = await changes.acquire(`${id} ${accounts.get(request)}`, closed)
          if (closed.aborted) release()
          else closed.addEventListener('abort', release)
        },
      ]
    }

    for (const operation of operations) {
      app.route({
        method: operation.method,
        url: toUrl(operation.path),
        schema: operation.schema,
        bodyLimit: bodyLimits[operation.id] ?? app.initialConfig.bodyLimit ?? 0,
        attachValidation: operation.isNavigation,
        handler: handlers[handlerName(operation.id)] as RouteOptions['handler'],
        onRequest: async (request) => checkHeaders(operation, request),
        preHandler: [...checkBody(operation), ...admit(operation)],
      })
    }
  },
)

const serializers = new WeakMap<object, (value: unknown) => string>()

/** Compiles each schema once for all servers of the process. Fields that the schema does not name are left out. */
const serializerCompiler: FastifySerializerCompiler<object> = ({ schema }) => {
  const serialize = serializers.get(schema) ?? fastJson(schema)
  serializers.set(schema, serialize)
  return serialize
}

/** The name that hey-api generates for an operation: `itemsReadItems` for `items-read_items`. */
function handlerName(operationId: string): keyof RouteHandlers {
  return operationId.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof RouteHandlers
}

/** Fastify parses any type it knows for any operation, and skips validation if the schema does not name the type. */
function checkContentType({ mediaTypes, isBodyOptional }: Operation, request: FastifyRequest): void {
  const accepted = isBodyOptional && !hasBody(request) ? [] : mediaTypes
  const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (accepted.length > 0 && !accepted.includes(given ?? ''))
    throw new HttpError(415, `Content-Type should be ${accepted.join(' or ')}`)
  // An operation without a body ignores a body of any type.
  if (accepted.length === 0) delete request.headers['content-type']
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function toUrl(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

/** Refuses other methods on each path, also where a path with a parameter matches a literal one. */
function refuseOtherMethods(app: FastifyInstance): void {
  for (const [path, of = []] of Object.entries(Object.groupBy(operations, ({ path: url }) => url))) {
    const allowed = of.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    const refusal = () => {
      throw new HttpError(405, 'Method Not Allowed', { allow: allowed.join(', ') })
    }
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toUrl(path),
      onRequest: async () => refusal(),
      handler: refusal,
    })
  }
}
