import formbody from '@fastify/formbody'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import contract from '../../../openapi.json' with { type: 'json' }
import type { RouteHandlers } from '../../contract/fastify.gen.ts'
import { contractRoutes } from './plugins/contract.ts'
import { nobody } from '../../test/build-test-app.ts'
import { emptyProfile, samples } from '../../../tests/support/samples.ts'

const SECRET = 'must not leave'
const secrets = { password_hash: SECRET, token_hash: SECRET, email_key: SECRET, owner: { password_hash: SECRET } }

/** The fields of all responses, and secrets that no response may contain. */
const account = {
  ...emptyProfile,
  id: nobody,
  created_at: new Date(0).toISOString(),
  email: 'ada@example.com',
  is_active: true,
  is_superuser: false,
  last_active_at: null,
  is_invited: false,
  email_confirmed_at: null,
  pending_email: null,
  mail_refused_at: null,
  ...secrets,
}
const owned: object = Object.assign({}, ...samples.map(({ leastStored }) => leastStored))
const needed: object = Object.assign({}, ...samples.map(({ least }) => least))
const row = {
  ...account,
  type: 'image/png',
  size: 1,
  ...owned,
  owner_id: nobody,
  access_token: 'a token',
  token_type: 'bearer',
  message: 'Done',
  user: account,
  link: null,
  last_used_at: new Date(0).toISOString(),
  user_agent: null,
  address: 'server',
  current: false,
  at: new Date(0).toISOString(),
  action: 'invite',
  result: 'done',
  actor: account,
  subject: null,
  next: null,
  details: null,
  name: 'Steward',
  version: '1',
  sign_up: 'open',
  // The instance has a boolean of this name, and the account a number.
  passkeys: 1,
  second_factor: 'optional',
  confirm_email: false,
  oidc: { name: 'Company', log_out: null, ...secrets },
  password_log_in: true,
  mail: true,
  has_password: false,
  issuer: 'https://login.example.com',
  url: 'https://login.example.com/',
  return_to: '/',
  is_synced: false,
  scope: 'read',
  expires_at: new Date(0).toISOString(),
  token: 'a token',
  totp: true,
  recovery_codes_left: 0,
  required: false,
  secret: 'AAAA',
  uri: 'otpauth://totp/x',
  recovery_codes: ['AAAA'],
  ceremony: 'a ceremony',
  options: {
    rp: { id: 'localhost', name: 'Steward' },
    user: { id: 'x', name: 'x', displayName: 'x' },
    challenge: 'x',
    pubKeyCredParams: [],
    timeout: 1,
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    excludeCredentials: [],
    rpId: 'localhost',
    userVerification: 'required',
    allowCredentials: [],
    ...secrets,
  },
}
const response = {
  ...row,
  count: 1,
  data: [row],
  changed: 1,
  changed_ids: [nobody],
  invited: 1,
  existing: ['ada@example.com'],
  errors: [{ row: 1, field: 'email', detail: 'Field required', ...secrets }],
  links: [{ row: 1, link: 'https://example.com/', ...secrets }],
  unchanged: 0,
  refused: [{ id: nobody, detail: 'User not found', ...secrets }],
  items: { count: 1, recently_edited: [{ item: row, at: new Date(0).toISOString(), ...secrets }], ...secrets },
  days: [{ day: '2026-01-01', new_users: 1, active_users: 1, ...secrets }],
  users: {
    active: 1,
    inactive: 0,
    invited: 0,
    expiring: 0,
    idle: 0,
    failed_log_ins: { last_day: 0, day_before: 0, ...secrets },
    newest: [row],
    ...secrets,
  },
  setup: { generated_password: false, mail: true, ...secrets },
}

const body = {
  email: 'ada@example.com',
  username: 'ada@example.com',
  password: 'long enough',
  current_password: 'long enough',
  new_password: 'long enough',
  token: 'a token',
  action: 'delete',
  name: 'A name',
  scope: 'read',
  expires_at: '2026-01-01T00:00:00Z',
  ceremony: 'a ceremony',
  login: 'a log-in',
  code: '123456',
  return_to: '/',
}

const credential = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'x', attestationObject: 'x', authenticatorData: 'x', signature: 'x' },
}

type Operation = {
  operationId: string
  requestBody?: { content: object }
  /** Absent for the key `parameters` of a path. */
  responses?: Partial<Record<'200', { content: Record<string, { schema: { $ref?: string } }> }>>
}

function keysOf(schema: Schema): string[] {
  return Object.keys(resolve(schema).properties ?? {}).toSorted()
}

interface Schema {
  $ref?: string
  properties?: { data?: Record<string, Schema | string> }
}

function resolve({ $ref = '' }: Schema): Schema {
  return (contract.components.schemas as Record<string, Schema>)[$ref.replace(/.*\//, '')] ?? {}
}

const operations = Object.entries(contract.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath as Record<string, Operation>).flatMap(([method, { operationId, requestBody, responses }]) => {
    const json = responses?.['200']?.content['application/json']
    const [type] = Object.keys(requestBody?.content ?? {})
    return json ? [{ operationId, method, path, type, schema: json.schema }] : []
  }),
)

test.each(operations)('$operationId returns only fields of the contract', async (operation) => {
  const app = Fastify()
  await app.register(formbody)
  // Resources may have fields with the names of these.
  const file = { type: 'image/png', size: 1 }
  const answered = operation.type === 'application/octet-stream' ? { ...response, ...file } : response
  const handlers = new Proxy({} as RouteHandlers, { get: () => async () => answered })
  await app.register(contractRoutes, { handlers, authorize: async () => nobody, authorizeBody: () => undefined })
  const { operationId, method, path, type, schema } = operation
  const isForm = type === 'application/x-www-form-urlencoded'
  // Fields of resources may have the names of these.
  const json = /^(users|login)-/.test(operationId) ? { ...needed, ...body } : { ...body, ...needed }
  const said = await app.inject({
    method: method as 'GET',
    url: path.replaceAll(/\{\w+\}/g, path.includes('{email}') ? 'ada@example.com' : nobody),
    query: { name: 'x' },
    headers: { authorization: 'Bearer x', ...(type !== undefined && { 'content-type': type }) },
    ...(type !== undefined && {
      payload: isForm ? new URLSearchParams(body).toString() : JSON.stringify({ ...json, credential, rows: [{}] }),
    }),
  })
  expect([said.statusCode, said.body]).toEqual([200, expect.not.stringContaining(SECRET)])
  const received = said.json<{ data?: object[] }>()
  expect(Object.keys(received).toSorted()).toEqual(keysOf(schema))
  const listed = Object.values(resolve(schema).properties?.data ?? {}).find((one) => typeof one === 'object') ?? {}
  for (const one of received.data ?? []) expect(Object.keys(one).toSorted()).toEqual(keysOf(listed))
})

test('all but exports, the page of a mail, the stream of events and navigations return JSON', () => {
  const others = Object.values(contract.paths)
    .flatMap((path) => Object.values(path as Record<string, Operation>))
    .filter(({ responses }) => responses && !responses['200']?.content['application/json'])
    .map(({ operationId }) => operationId)
  expect(
    others.filter((name) => !/-export_\w+$|-read_events$|-read_file$|_html_content$|-oidc(_callback)?$/.test(name)),
  ).toEqual([])
  expect(operations.length).toBeGreaterThan(others.length)
})
