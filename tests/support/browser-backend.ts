import { delay, http, HttpResponse, passthrough } from 'msw'
import { setupWorker } from 'msw/browser'
import { demoContent, demoUser, rememberLinkable } from '../../scripts/seed/demo-data.ts'
import { demoRows, linkedFirst } from '../../scripts/seed/demo-rows.ts'
import type { FilePublic } from '@/client/types.gen'
import { links } from '@/lib/resources'
import { Backend, makeUser, refusal } from './backend'
import { mockAccounts, mockPassword } from './mock-accounts'
import { makeEntry, makeSession } from './people'

// The back end of `npm run dev -- --mock`. It runs in a service worker of the browser.

const USERS = 120
const ROWS_PER_RESOURCE = 400
const DELAY_MS = 2_000

const api = `${location.origin}/api`

const backend = new Backend()
backend.isPrivate = true
backend.password = mockPassword
fill(backend)

/** The token contains the id of the account, so that a reload keeps the session. */
const tokenOf = (id: string) => `mock-${id}`
const token = localStorage.getItem('access_token')
const holder = backend.users.find(({ id }) => tokenOf(id) === token)
if (holder) logIn(holder.id)

const fault = readFault()
const worker = setupWorker(
  http.all(`${api}/*`, async ({ request }) => {
    if (fault === 'slow') await delay(DELAY_MS)
    const isSession = /\/(instance|login\/access-token|users\/me)$/.test(new URL(request.url).pathname)
    return fault === '500' && !isSession ? refusal(500, 'Internal Server Error') : undefined
  }),
  http.post(`${api}/v1/login/access-token`, async ({ request }) => {
    const form = new URLSearchParams(await request.clone().text())
    const user = backend.users.find(({ email }) => email === form.get('username')?.trim().toLowerCase())
    if (!user || form.get('password') !== mockPassword) return refusal(400, 'Incorrect email or password')
    if (!user.is_active) return refusal(400, 'Inactive user')
    logIn(user.id)
    return HttpResponse.json({ access_token: backend.token, token_type: 'bearer' })
  }),
  ...backend.handlers,
  http.all(`${api}/*`, () => refusal(404, 'Not Found')),
  http.all('*', () => passthrough()),
)
await worker.start({ quiet: true })

function logIn(id: string): void {
  backend.user = backend.users.find((user) => user.id === id)
  backend.token = tokenOf(id)
}

/** Reads `?mock=slow` or `?mock=500`. The fault applies to this tab until the URL contains `?mock=off`. */
function readFault(): string | null {
  const filters = new URLSearchParams(location.search).get('mock')
  if (filters !== null) sessionStorage.setItem('mock', filters)
  return sessionStorage.getItem('mock')
}

function isFile(value: unknown): value is FilePublic {
  return typeof value === 'object' && value !== null && 'size' in value
}

function timestamp(time: number): string {
  return new Date(time).toISOString()
}

function linkedBy(table: string): string[] {
  return links.filter(({ from }) => from === table).map(({ to }) => to)
}

function fill(back: Backend): void {
  const { users, people } = back
  const given = Object.values(mockAccounts)
  const now = Date.now()
  for (let index = 0; index < USERS; index += 1) {
    const { password_hash, created_at, last_active_at, email_confirmed_at, ...user } = demoUser(index, 'set', now)
    const is_invited = password_hash === null
    const times = {
      created_at: timestamp(created_at),
      last_active_at: last_active_at ? timestamp(last_active_at) : null,
      email_confirmed_at: email_confirmed_at ? timestamp(email_confirmed_at) : null,
    }
    users.push(makeUser({ ...user, ...times, is_invited, ...given[index] }))
  }
  for (const table of linkedFirst(Object.keys(demoRows), linkedBy)) {
    const make = demoRows[table] ?? (() => undefined)
    const rows = back.rowsOf(table)
    for (let index = 0; index < ROWS_PER_RESOURCE; index += 1) {
      const made = make(index, USERS, now)
      if (!made) continue
      rows.push({ ...made, created_at: timestamp(made.created_at) })
      for (const file of Object.values(made).filter(isFile)) back.files.keep(file, demoContent(file).buffer)
    }
    rememberLinkable(table, rows)
    sortNewestFirst(rows)
  }
  sortNewestFirst(users)
  for (const { id, email } of users) {
    people.sessions[id] = [makeSession({ current: true }), makeSession({ address: '198.51.100.7' })]
    people.audit.push(makeEntry({ actor: { id, email }, subject: { id, email } }))
  }
}

function sortNewestFirst(rows: { created_at: string }[]): void {
  rows.sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))
}
