import type { FastifyInstance, FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import contract from '../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import { type Actor, requireSelfOrSuperuser, requireSuperuser } from '../domain/access.ts'
import type { Sessions } from '../domain/sessions.ts'
import { resumeSession } from './auth.ts'
import { validatorCompiler } from './validation.ts'

interface Operation {
  operationId: string
  security?: { bearer: string[] }[]
  requestBody?: { content: Record<string, unknown> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type PathItem = { [method in (typeof methods)[number]]?: Operation }
const paths: [string, PathItem][] = Object.entries(contract.paths)

/** Serves the operations of openapi.json: its paths, its validation, its serialization, its security. */
export async function serveContract(
  app: FastifyInstance,
  options: { handlers: RouteHandlers; sessions: Sessions },
): Promise<void> {
  const operations = new Map(
    paths.flatMap(([, item]) =>
      methods.flatMap((method) => item[method] ?? []).map((operation) => [operation.operationId, operation]),
    ),
  )
  app.setValidatorCompiler(validatorCompiler)
  app.decorateRequest('actor', null)
  await app.register(openapiGlue, {
    specification: withoutTextAnswers(),
    operationResolver: (operationId) => {
      const operation = operations.get(operationId)
      if (!operation) throw new Error(`${operationId} is not in the contract`)
      const handler = options.handlers[handlerName(operationId)] as RouteOptions['handler']
      return {
        handler,
        onRequest: [authenticate(operation, options.sessions), checkContentType(operation)],
      } as RouteOptions
    },
  })
}

/** glue wants a body parser for every type it reads of, also for the type of an answer, and warns without one. */
function withoutTextAnswers(): object {
  return JSON.parse(JSON.stringify(contract, (key, value: unknown) => (key === 'text/html' ? undefined : value)))
}

/** hey-api's name for an operation: `items-read_items` is `itemsReadItems`. */
function handlerName(operationId: string): keyof RouteHandlers {
  return operationId.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof RouteHandlers
}

/** Where it depends on the path who may use an operation, as domain/access.ts says. */
const accessByPath: Partial<Record<string, (actor: Actor, params: Record<string, string>) => void>> = {
  'users-read_user_by_id': (actor, { user_id = '' }) => requireSelfOrSuperuser(actor, user_id.toLowerCase()),
}

/**
 * The check before an operation, ahead of any look at its body: 401 and 403 come before 422.
 * An operation without security ignores a bearer, also a stale one.
 */
function authenticate(operation: Operation, sessions: Sessions) {
  const roles = operation.security?.[0]?.bearer
  return async (request: FastifyRequest): Promise<void> => {
    if (!roles) return
    request.actor = await resumeSession(request, sessions)
    if (roles.includes('superuser')) requireSuperuser(request.actor)
    accessByPath[operation.operationId]?.(request.actor, request.params as Record<string, string>)
  }
}

/** Fastify would parse any type it knows for any operation, and skip validation where the contract does not name the type. */
function checkContentType(operation: Operation): onRequestHookHandler {
  const accepted = Object.keys(operation.requestBody?.content ?? {})
  return (request, reply, done) => {
    const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (accepted.length > 0 && !accepted.includes(given ?? '')) {
      reply.code(415).send({ detail: `Content-Type should be ${accepted.join(' or ')}` })
      return
    }
    // An operation that takes no body does not mind one, of whatever type: it is not looked at.
    if (accepted.length === 0) delete request.headers['content-type']
    done()
  }
}

const patterns = paths.map(([path, item]) => ({
  pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  methods: methods.filter((method) => item[method]).map((method) => method.toUpperCase()),
}))

/** The methods a path of the contract takes; `undefined` for any other path. */
export function methodsOf(path: string): string[] | undefined {
  const found = patterns.filter(({ pattern }) => pattern.test(path)).flatMap((entry) => entry.methods)
  return found.length > 0 ? [...new Set(found)] : undefined
}
