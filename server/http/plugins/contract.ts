import type { FastifyRequest, onRequestHookHandler, RouteOptions } from 'fastify'
import openapiGlue from 'fastify-openapi-glue'
import fp from 'fastify-plugin'
import contract from '../../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import { type Access, requireAccess } from '../../domain/access.ts'
import type { Sessions } from '../../domain/sessions.ts'
import { resumeSession } from '../auth.ts'
import { HttpError } from '../http-error.ts'
import { pathOf } from '../request-path.ts'
import { validatorCompiler } from '../validation.ts'

interface Operation {
  security: { bearer?: string[] }[]
  requestBody?: { content: Record<string, unknown> }
}

interface ContractOptions {
  handlers: RouteHandlers
  sessions: Sessions
  /** Functions by operation id that reject a request before its body is read. */
  refusals?: Record<string, () => void>
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type PathItem = { [method in (typeof methods)[number]]?: Operation }
const paths: Record<string, PathItem> = contract.paths

/** Serves the operations of openapi.json, with its validation, serialization and security. */
export const contractRoutes = fp<ContractOptions>(async (app, options) => {
  app.setValidatorCompiler(validatorCompiler)
  app.decorateRequest('actor', null)
  app.addHook('onRequest', refuseOtherMethods)
  await app.register(openapiGlue, {
    specification: withoutTextAnswers(),
    operationResolver: (operationId, method, path) => {
      const operation = paths[path]?.[method.toLowerCase() as keyof PathItem]
      if (!operation) throw new Error(`${operationId} is not in the contract`)
      const handler = options.handlers[handlerName(operationId)] as RouteOptions['handler']
      return {
        handler,
        onRequest: [
          authenticate(operation, options.sessions),
          refuse(options.refusals?.[operationId]),
          checkContentType(operation),
        ],
      } as RouteOptions
    },
  })
})

/** fastify-openapi-glue expects a body parser for every content type, also of responses, and warns without one. */
function withoutTextAnswers(): object {
  return JSON.parse(
    JSON.stringify(contract, (key, value: unknown) => (key === 'text/html' || key === 'text/csv' ? undefined : value)),
  )
}

/** The name that hey-api generates for an operation: `itemsReadItems` for `items-read_items`. */
function handlerName(operationId: string): keyof RouteHandlers {
  return operationId.replaceAll(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase()) as keyof RouteHandlers
}

/**
 * Checks access before the body is read, so that 401 and 403 come before 422. An operation without security ignores a
 * bearer token, even an expired one.
 */
function authenticate({ security }: Operation, sessions: Sessions) {
  const scopes = security[0]?.bearer as Access[] | undefined
  return async (request: FastifyRequest): Promise<void> => {
    if (!scopes) return
    request.actor = await resumeSession(request, sessions)
    const { user_id: userId = '' } = request.params as { user_id?: string }
    for (const scope of scopes) requireAccess(request.actor, scope, userId.toLowerCase())
  }
}

function refuse(refusal: () => void = () => {}): onRequestHookHandler {
  return (_request, _reply, done) => {
    refusal()
    done()
  }
}

/** Fastify parses any type it knows for any operation, and skips validation if the contract does not name the type. */
function checkContentType(operation: Operation): onRequestHookHandler {
  const accepted = Object.keys(operation.requestBody?.content ?? {})
  return (request, _reply, done) => {
    const given = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
    if (accepted.length > 0 && !accepted.includes(given ?? '')) {
      throw new HttpError(415, `Content-Type should be ${accepted.join(' or ')}`)
    }
    // An operation without a body ignores one of any type.
    if (accepted.length === 0) delete request.headers['content-type']
    done()
  }
}

const patterns = Object.entries(paths).map(([path, item]) => ({
  pattern: new RegExp(`^${path.replace(/\/$/, '').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
  isLiteral: !path.includes('{'),
  methods: methods
    .filter((method) => item[method])
    .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : method.toUpperCase())),
}))

/** A literal path accepts only its own methods, even if a path with a parameter matches too. */
const refuseOtherMethods: onRequestHookHandler = (request, _reply, done) => {
  const path = pathOf(request)
  const found = patterns.filter(({ pattern }) => pattern.test(path))
  const allowed = (found.find(({ isLiteral }) => isLiteral) ?? found[0])?.methods
  if (allowed && !allowed.includes(request.method)) {
    throw new HttpError(405, 'Method Not Allowed', { allow: allowed.join(', ') })
  }
  done()
}
