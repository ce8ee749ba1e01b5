import contract from '../../openapi.json' with { type: 'json' }
import { createRandom, type Random } from './random.ts'
import {
  JSON_VALUES,
  JSON_WHOLES,
  METHODS,
  ODD_HEADERS,
  QUERY_KEYS,
  QUERY_VALUES,
  SEGMENTS,
  TEXTS,
  TYPES,
} from './malformed-values.ts'

export interface MalformedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: Buffer | undefined
}

export interface Insiders {
  tokens: readonly string[]
  ids: readonly string[]
  emails: readonly string[]
}

interface Operation {
  method: string
  path: string
  body: { type: string; keys: string[] } | undefined
}

interface Described {
  operationId?: string
  requestBody?: { content: Record<string, { schema: { $ref?: string } }> }
}

const schemas: Record<string, object> = contract.components.schemas

/** Excluded, because its response does not end. */
const EVENT_STREAM = 'events-read_events'

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods as Record<string, Described>).flatMap(([method, described]): Operation[] =>
    described.operationId === undefined || described.operationId === EVENT_STREAM
      ? []
      : [{ method: method.toUpperCase(), path, body: describeBody(described) }],
  ),
)

function describeBody({ requestBody }: Described): Operation['body'] {
  const [content] = Object.entries(requestBody?.content ?? {})
  if (!content) return undefined
  const [type, { schema }] = content
  const { properties = {} }: { properties?: object } = schemas[schema.$ref?.split('/').at(-1) ?? ''] ?? {}
  return { type, keys: Object.keys(properties) }
}

type Draw = Random

const authorizations = (token: string): string[] => [
  `Bearer ${token}`,
  `bearer  ${token} `,
  `Bearer ${token}x`,
  `Basic ${token}`,
  'Bearer',
  'Bearer ',
  token,
  '',
  `Bearer ${'x'.repeat(6000)}`,
  'Bearer \u0080\u00FF',
  'Negotiate',
  `Bearer ${token}, Bearer ${token}`,
]

function segment(draw: Draw, { ids, emails }: Insiders): string {
  if (draw.chance(0.5)) return draw.pick(ids)
  if (draw.chance(0.2)) return encodeURIComponent(draw.pick(emails))
  return draw.chance(0.5) ? draw.pick(SEGMENTS) : encodeURIComponent(draw.pick(TEXTS).toWellFormed())
}

function urlOf(draw: Draw, path: string, insiders: Insiders): string {
  let url = path.replaceAll(/\{\w+\}/g, () => segment(draw, insiders))
  if (draw.chance(0.05)) url = `${url}/${draw.pick(SEGMENTS)}`
  if (draw.chance(0.05))
    url = url.replace('/api', () => draw.pick(['/%61pi', '//api', '/API', '/api/', '/./api', '', '/api%2f', '/api\\']))
  if (draw.chance(0.2)) url = url.endsWith('/') ? url.slice(0, -1) : `${url}/`
  const count = draw.chance(0.35) ? 1 + draw.below(4) : draw.chance(0.02) ? 500 : 0
  const query = Array.from({ length: count }, () => `${draw.pick(QUERY_KEYS)}=${draw.pick(QUERY_VALUES)}`)
  return query.length > 0 ? `${url}?${query.join(draw.pick(['&', '&&', ';']))}` : url
}

function valueOf(draw: Draw, key: string, insiders: Insiders): string {
  if (draw.chance(0.4)) {
    const email = ['email', 'username'].includes(key)
    return JSON.stringify(
      email ? draw.pick(insiders.emails) : draw.pick(['correct horse battery', 'a title', 'another password']),
    )
  }
  return draw.chance(0.5) ? draw.pick(JSON_VALUES) : JSON.stringify(draw.pick(TEXTS))
}

function jsonOf(draw: Draw, keys: string[], insiders: Insiders): string {
  if (draw.chance(0.2)) return draw.pick(JSON_WHOLES)
  const given = [...keys.filter(() => draw.chance(0.8)), ...(draw.chance(0.3) ? ['id', '__proto__', 'owner_id'] : [])]
  return `{${given.map((key) => `${JSON.stringify(key)}:${valueOf(draw, key, insiders)}`).join(',')}}`
}

function formOf(draw: Draw, keys: string[], insiders: Insiders): string {
  if (draw.chance(0.2))
    return draw.pick([
      '',
      '&',
      '=',
      '%',
      '%zz=%ff',
      'a'.repeat(140_000),
      '&=&'.repeat(2000),
      'username[]=a&password[x]=b',
    ])
  return keys
    .filter(() => draw.chance(0.85))
    .map(
      (key) =>
        `${key}=${encodeURIComponent((draw.chance(0.4) ? draw.pick(insiders.emails) : draw.pick(TEXTS)).toWellFormed())}`,
    )
    .join('&')
}

function damage(draw: Draw, bytes: Buffer): Buffer {
  const at = draw.below(bytes.length + 1)
  const kind = draw.below(4)
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1) return Buffer.concat([bytes.subarray(0, at), Buffer.from([draw.below(256)]), bytes.subarray(at)])
  if (kind === 2)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff, 0xfe, 0xc0, 0x80]), bytes.subarray(at + 1)])
  return Buffer.concat([bytes, bytes])
}

function bodyOf(draw: Draw, operation: Operation, insiders: Insiders): Buffer | undefined {
  if (!operation.body && draw.chance(0.7)) return undefined
  if (operation.body && draw.chance(0.05)) return undefined
  const { type, keys } = operation.body ?? { type: 'application/json', keys: ['title', 'email'] }
  const text = type === 'application/json' ? jsonOf(draw, keys, insiders) : formOf(draw, keys, insiders)
  const bytes = Buffer.from(text)
  return draw.chance(0.15) ? damage(draw, bytes) : bytes
}

function headersOf(draw: Draw, operation: Operation, token: string, body: Buffer | undefined): Record<string, string> {
  const headers: Record<string, string> = {}
  if (draw.chance(0.85))
    headers['authorization'] = draw.chance(0.7) ? `Bearer ${token}` : draw.pick(authorizations(token))
  if (body) {
    const type = operation.body && draw.chance(0.8) ? operation.body.type : draw.pick(TYPES)
    if (draw.chance(0.97)) headers['content-type'] = type
    if (draw.chance(0.02))
      headers['content-length'] = draw.pick(['0', '-1', '99999', 'abc', '1e3', `${body.length + 7}`])
  }
  while (draw.chance(0.2)) {
    const [name, values] = draw.pick(ODD_HEADERS)
    headers[name] = draw.pick(values)
  }
  return headers
}

/** Invalid requests to random operations. @param insiders called before each, because an earlier one may have ended sessions */
export function* malformedRequests(count: number, seed: number, insiders: () => Insiders): Generator<MalformedRequest> {
  const draw = createRandom(seed)
  for (let i = 0; i < count; i += 1) {
    const people = insiders()
    const operation = draw.pick(operations)
    const body = bodyOf(draw, operation, people)
    yield {
      method: draw.chance(0.9) ? operation.method : draw.pick(METHODS),
      url: urlOf(draw, operation.path, people),
      headers: headersOf(draw, operation, draw.pick(people.tokens), body),
      body,
    }
  }
}
