// During a rolling update, the new application talks to the old server, whose responses lack the new fields.
import { readFileSync } from 'node:fs'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { getResponse, http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { capitalize } from '@/lib/text'
import { type Backend, makeUser } from '../../support/backend'
import { network } from '../../support/network'
import { makeEntry, makeSession } from '../../support/people'
import { renderApp, roundTrip } from '../../support/render-app'
import { anyResource, makeRow, profileFields } from '../../support/samples'

interface Schema {
  $ref?: string
  required?: string[]
  properties?: Record<string, Schema>
  type?: string | string[]
  oneOf?: Schema[]
  allOf?: Schema[]
}
interface Contract {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, { schema: Schema }> }> } }>
  components: { schemas: Record<string, Schema> }
}
const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as Contract

const resolve = (given: Schema | undefined): Schema | undefined =>
  given?.$ref === undefined ? given : components.schemas[given.$ref.replace(/.*\//, '')]

const elementOf = ({ type, ...parts }: Schema): Schema | undefined =>
  [type].flat().includes('array') ? Object.values(parts as object).find((part) => Object(part) === part) : undefined

const partsOf = ({ oneOf = [], allOf = [] }: Schema) => [...oneOf, ...allOf]

const answerOf = (path: string) => paths[path]?.get?.responses['200']?.content?.['application/json']?.schema

function optionalFields(of: readonly string[]): string[] {
  const found = new Set<string>()
  const seen = new Set<Schema>()
  function visit(given: Schema | undefined): void {
    const schema = resolve(given)
    if (!schema || seen.has(schema)) return
    seen.add(schema)
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (schema.required?.includes(name) !== true) found.add(name)
      visit(property)
    }
    for (const part of [elementOf(schema), ...partsOf(schema)]) visit(part)
  }
  for (const path of of) visit(answerOf(path))
  return [...found]
}

const optional = optionalFields(Object.keys(paths))

/** Removes the named properties where the schema makes them optional. */
function without(names: ReadonlySet<string>, value: unknown, given: Schema | undefined): unknown {
  const schema = resolve(given)
  if (!schema || typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => without(names, one, elementOf(schema)))
  const kept = Object.entries(value).filter(
    ([name]) => !names.has(name) || !schema.properties?.[name] || schema.required?.includes(name),
  )
  const own = Object.fromEntries(kept.map(([name, one]) => [name, without(names, one, schema.properties?.[name])]))
  return partsOf(schema).reduce<unknown>((rest, part) => without(names, rest, part), own)
}

/** Finds the path in the contract. Literal paths come before those with parameters. */
function pathOf(pathname: string): string {
  const isOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname)
  return paths[pathname] ? pathname : (Object.keys(paths).find(isOf) ?? '')
}

const times = { last_active_at: '2026-01-02T00:00:00.000Z', email_confirmed_at: '2026-01-01T00:00:00.000Z' }
const unset = { is_invited: false, pending_email: null, mail_refused_at: null }
const root = makeUser({ ...times, ...unset, email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ ...times, ...unset, email: 'grace@example.com', full_name: 'Grace' })

function prepare(backend: Backend, names: readonly string[]): void {
  backend.users = [grace, root]
  for (const { table, searched } of anyResource)
    backend.rows[table] = [makeRow(table, { [searched[0]]: 'Plan', owner_id: root.id })]
  backend.people.sessions = { [root.id]: [makeSession({ current: true })] }
  backend.people.audit = [makeEntry({ details: { number: 1 } })]
  const left = new Set(names)
  network.use(
    http.get('*/api/v1/*', async ({ request }) => {
      const response = await getResponse(backend.handlers, request)
      if (!response?.headers.get('content-type')?.startsWith('application/json')) return response
      const { status } = response
      const schema = status === 200 ? answerOf(pathOf(new URL(request.url).pathname)) : undefined
      return HttpResponse.json(without(left, await response.json(), schema) as object, { status })
    }),
  )
}

interface Page {
  heading: string | RegExp
  content: string | RegExp
  /** Operations of the contract. Tests also remove each of their optional fields separately. */
  reads?: string[]
  isGuest?: boolean
}

const pages: Record<string, Page> = {
  '/': { heading: /^Hi, Root/, content: 'Newest users', reads: ['/api/v1/users/me/overview'] },
  ...Object.fromEntries(
    anyResource.map(({ table }) => [
      `/${table}`,
      { heading: capitalize(table), content: 'Plan', reads: [`/api/v1/${table}/`] },
    ]),
  ),
  '/users': { heading: 'Users', content: 'grace@example.com', reads: ['/api/v1/users/'] },
  [`/users/${grace.id}`]: { heading: 'Grace', content: 'grace@example.com' },
  '/audit': { heading: 'Audit Log', content: /log-in/i, reads: ['/api/v1/audit/'] },
  '/security': { heading: 'Security', content: 'Sessions', reads: ['/api/v1/instance'] },
  '/settings': { heading: 'Settings', content: 'User information' },
  '/login': {
    heading: 'Login to your account',
    content: 'Forgot your password?',
    reads: ['/api/v1/instance'],
    isGuest: true,
  },
  '/signup': { heading: 'Sign Up', content: 'Enter your details below to create an account.', isGuest: true },
}

async function open(url: string, names: readonly string[], isGuest: boolean, more?: (backend: Backend) => void) {
  cleanup()
  localStorage.clear()
  const app = await renderApp({
    url,
    ...(!isGuest && { user: root }),
    prepare: (backend) => {
      more?.(backend)
      prepare(backend, names)
    },
  })
  for (let turn = 0; turn < 3; turn += 1) {
    await roundTrip()
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
  }
  return app
}

test('the contract requires no field that came after the first version', () => {
  const { schemas } = components
  expect(schemas['Instance']?.required).toEqual(['name', 'version', 'sign_up'])
  expect(schemas['UserPublic']?.required).toEqual([
    'id',
    'email',
    'full_name',
    ...profileFields.slice(1).map(({ name }) => name),
    'is_active',
    'is_superuser',
    'created_at',
  ])
  const later = ['passkeys', 'second_factor', 'confirm_email', 'last_active_at', 'days']
  expect(optional).toEqual(expect.arrayContaining(later))
})

test.each(anyResource)('the contract requires all fields of $table, but no version', ({ schema, fields }) => {
  const { required } = components.schemas[schema] ?? {}
  const names = fields.map(({ name }) => name)
  expect(required).toEqual(expect.arrayContaining(['id', ...names, 'owner_id', 'created_at']))
  expect(required).not.toContain('version')
})

describe.each(Object.entries(pages))('%s is shown', (url, { heading, content, reads = [], isGuest = false }) => {
  // /security needs sessions, which a back end without `is_invited` lacks.
  const all = optional.filter((name) => name !== 'is_invited' || url !== '/security')
  test.each([...optionalFields(reads).map((name) => [name]), all])('without %s', async (...names) => {
    const { queryClient } = await open(url, names, isGuest)
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeInTheDocument()
    expect((await screen.findAllByText(content)).length).toBeGreaterThan(0)
    expect(screen.queryByText('Something went wrong!')).not.toBeInTheDocument()
    const failed = queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.status === 'error' })
    expect(failed.map(({ queryKey, state }) => [queryKey, state.error])).toEqual([])
  })
})

test('a closed sign-up is closed without the later fields of what a back end offers', async () => {
  await open('/signup', optional, true, ({ people }) => void (people.signUp = 'closed'))
  expect(await screen.findByText(/Sign-up is closed/)).toBeInTheDocument()
})

test('users without an activity have no column and no filter of it', async () => {
  const columns = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  const ofActivity = expect.stringContaining('Last Active') as string
  await open('/users', [], false)
  expect(columns()).toContainEqual(ofActivity)
  expect(screen.getByRole('combobox', { name: /^Last active/ })).toBeInTheDocument()
  await open('/users', ['last_active_at'], false)
  expect(columns().length).toBeGreaterThan(4)
  expect(columns()).not.toContainEqual(ofActivity)
  expect(screen.queryByRole('combobox', { name: /^Last active/ })).not.toBeInTheDocument()
})
