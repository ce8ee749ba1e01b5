import { Ajv } from 'ajv'
import type { FastifySchema } from 'fastify'
import contract from '../../../openapi.json' with { type: 'json' }

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: JsonObject
}

interface Content {
  required?: boolean
  content?: Record<string, { schema: JsonObject }>
}

interface OperationObject {
  operationId: string
  security: { bearer?: string[] }[]
  'x-fresh'?: true | JsonObject | string
  'x-token'?: 'read' | 'write'
  'x-token-except'?: JsonObject
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content>
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const
type Method = (typeof methods)[number]
type PathItem = { [method in Method]?: OperationObject } & { parameters?: Parameter[] }

export interface Operation {
  id: string
  /** As in openapi.json: `/api/v1/items/{id}`. */
  path: string
  method: Uppercase<Method>
  /** An operation that everybody may call has no `bearer`. The texts in `bearer` are permissions beyond a log-in. */
  security: { bearer?: string[] } | undefined
  isFresh: boolean
  /** Whether a request with this body needs a recent log-in. If `x-fresh` is a text, the rules decide. */
  isFreshWith: ((body: unknown) => boolean) | undefined
  /** The scope that an API token needs to call the operation. If it is `undefined`, no API token may call it. */
  forTokens: 'read' | 'write' | undefined
  /** Whether API tokens may not send this body. By default, it is the same as `isFreshWith`. */
  isNotForTokensWith: ((body: unknown) => boolean) | undefined
  mediaTypes: string[]
  isBodyOptional: boolean
  /** Whether a browser opens the URL as a page, so that people must not see an error in JSON. */
  isNavigation: boolean
  /** Whether the response contains a list, which may be long. */
  isList: boolean
  /** Whether the handler reads the body, which is not parsed. */
  isStreamed: boolean
  schema: FastifySchema
}

/** Compiles `isFreshWith` and `isNotForTokensWith`. Its options, unlike those of validation, do not change a body. */
const conditions = new Ajv({ strictTypes: false })

/** The media type of a body that is not parsed. */
export const BINARY = 'application/octet-stream'

/** Replaces each `$ref` by a copy of its target. There are no cycles in openapi.json. */
function resolve(value: Json): Json {
  if (Array.isArray(value)) return value.map(resolve)
  if (value === null || typeof value !== 'object') return value
  const { $ref, ...others } = value
  if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, resolve(of)]))
  const keys = $ref.split('/').slice(1)
  const target = keys.reduce<Json | undefined>((found, key) => (found as JsonObject)[key], contract as unknown as Json)
  if (target === undefined) throw new Error(`The contract has no ${$ref}`)
  return { ...(resolve(target) as JsonObject), ...others }
}

const paths = resolve(contract.paths) as unknown as Record<string, PathItem>

export const operations: readonly Operation[] = Object.entries(paths).flatMap(([path, item]) =>
  methods.flatMap((method) => {
    const operation = item[method]
    return operation ? [toOperation(path, method, operation, item.parameters)] : []
  }),
)

export function bodySchemaOf(operationId: string): object {
  const body = operations.find(({ id }) => id === operationId)?.schema.body as Content | undefined
  const schema = body?.content?.['application/json']?.schema
  if (!schema) throw new Error(`The contract has no JSON body of ${operationId}`)
  return schema
}

function toOperation(
  path: string,
  method: Method,
  { operationId, security, parameters = [], requestBody, responses, ...marks }: OperationObject,
  common: Parameter[] = [],
): Operation {
  const { 'x-fresh': fresh, 'x-token': forTokens, 'x-token-except': except = fresh } = marks
  const given = [...common, ...parameters]
  const isStreamed = BINARY in (requestBody?.content ?? {})
  const jsonResponses = Object.entries(responses).filter(([, { content }]) => content?.['application/json'])
  const schema: FastifySchema = {
    ...ofParameters('params', given, 'path'),
    ...ofParameters('querystring', given, 'query'),
    ...ofParameters('headers', given, 'header'),
    ...(requestBody && !isStreamed && { body: requestBody }),
    // Only JSON is serialized by its schema. Text is sent unchanged.
    response: Object.fromEntries(
      jsonResponses.map(([status, { content }]) => [status, content?.['application/json']?.schema]),
    ),
  }
  return {
    id: operationId,
    path,
    method: method.toUpperCase() as Uppercase<Method>,
    security: security[0],
    isFresh: fresh === true,
    isFreshWith: typeof fresh === 'object' ? conditions.compile(fresh) : undefined,
    forTokens,
    isNotForTokensWith: typeof except === 'object' ? conditions.compile(except) : undefined,
    mediaTypes: Object.keys(requestBody?.content ?? {}),
    isBodyOptional: requestBody?.required === false,
    isNavigation: '303' in responses,
    isList: hasArray(responses['200']?.content?.['application/json']?.schema),
    isStreamed,
    schema,
  }
}

function hasArray(schema: Json | undefined): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if (Array.isArray(schema)) return schema.some(hasArray)
  return schema.type === 'array' || Object.values(schema).some(hasArray)
}

function ofParameters(part: 'params' | 'querystring' | 'headers', given: Parameter[], place: Parameter['in']) {
  const wanted = given.filter((parameter) => parameter.in === place)
  if (wanted.length === 0) return {}
  const properties = Object.fromEntries(wanted.map(({ name, schema }) => [name, schema]))
  const required = wanted.filter((parameter) => parameter.required).map(({ name }) => name)
  return { [part]: { type: 'object', properties, required } }
}
