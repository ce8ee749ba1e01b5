import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { Sessions } from '../domain/sessions.ts'
import { contractRoutes } from '../http/plugins/contract.ts'
import { nobody } from './build-test-app.ts'

const SECRET = 'must not leave'
const secrets = { password_hash: SECRET, token_hash: SECRET, email_key: SECRET, user: { password_hash: SECRET } }

/** Whatever any operation answers, and more. */
const row = {
  id: nobody,
  created_at: new Date(0).toISOString(),
  email: 'ada@example.com',
  full_name: null,
  is_active: true,
  is_superuser: false,
  last_active_at: null,
  is_invited: false,
  title: 'An item',
  description: null,
  owner_id: nobody,
  access_token: 'a token',
  token_type: 'bearer',
  message: 'Done',
  ...secrets,
}
const answer = { ...row, count: 1, data: [row] }

/** What any operation asks for. */
const body = {
  email: 'ada@example.com',
  username: 'ada@example.com',
  password: 'long enough',
  current_password: 'long enough',
  new_password: 'long enough',
  token: 'a token',
  title: 'An item',
}

type Operation = {
  operationId: string
  requestBody?: { content: object }
  /** Absent in what a path says of all its operations. */
  responses?: Record<'200', { content: Record<string, { schema: { $ref?: string } }> }>
}

/** What the schema that is referred to has, in the order of the alphabet. */
function keysOf({ $ref = '' }: { $ref?: string }): string[] {
  const schemas = contract.components.schemas as Record<string, { properties?: object }>
  return Object.keys(schemas[$ref.replace(/.*\//, '')]?.properties ?? {}).toSorted()
}

const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
  Object.entries(item as Record<string, Operation>).flatMap(([method, { operationId, requestBody, responses }]) => {
    const json = responses?.['200'].content['application/json']
    const [type] = Object.keys(requestBody?.content ?? {})
    return json ? [{ operationId, method, path, type, schema: json.schema }] : []
  }),
)

test.each(operations)('$operationId answers what the contract has, whatever the handler adds', async (operation) => {
  const app = Fastify()
  await app.register(formbody)
  const handlers = new Proxy({} as RouteHandlers, { get: () => async () => answer })
  const actor = { user: { id: nobody, is_superuser: true } }
  await app.register(contractRoutes, { handlers, sessions: { resume: async () => actor } as unknown as Sessions })
  const { method, path, type, schema } = operation
  const isForm = type === 'application/x-www-form-urlencoded'
  const said = await app.inject({
    method: method as 'GET',
    url: path.replaceAll(/\{\w+\}/g, path.includes('{email}') ? 'ada@example.com' : nobody),
    headers: { authorization: 'Bearer x', ...(type !== undefined && { 'content-type': type }) },
    ...(type !== undefined && { payload: isForm ? new URLSearchParams(body).toString() : JSON.stringify(body) }),
  })
  expect([said.statusCode, said.body]).toEqual([200, expect.not.stringContaining(SECRET)])
  const told = said.json<{ data?: object[] }>()
  expect(Object.keys(told).toSorted()).toEqual(keysOf(schema))
  const { ItemsPublic, UsersPublic } = contract.components.schemas
  const list = schema.$ref?.endsWith('/ItemsPublic') ? ItemsPublic : UsersPublic
  for (const one of told.data ?? []) expect(Object.keys(one).toSorted()).toEqual(keysOf(list.properties.data.items))
})

test('the operations that answer JSON are all but one', () => {
  expect(operations).toHaveLength(20)
})
