import { http, HttpResponse, type HttpHandler } from 'msw'
import type { ApiTokenPublic, AuditEntry, SessionPublic, UserInvite, UserPublic, UsersImport } from '@/client/types.gen'
import { apiTokenHandlers } from './api-tokens'
import { type Identities, identityHandlers } from './identities'
import { type Factors, factorHandlers } from './second-factor'
import { makeUser, message, queryOf, refusal } from './responses'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

export function makeSession(values: Partial<SessionPublic> = {}): SessionPublic {
  return {
    id: crypto.randomUUID(),
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: '2026-01-02T00:00:00.000Z',
    user_agent: firefox,
    address: '192.0.2.1',
    current: false,
    ...values,
  }
}

export function makeEntry(values: Partial<AuditEntry> = {}): AuditEntry {
  return {
    id: crypto.randomUUID(),
    at: '2026-01-02T03:04:05.000Z',
    action: 'log-in',
    result: 'done',
    actor: null,
    subject: null,
    address: '192.0.2.1',
    details: null,
    ...values,
  }
}

const PAGE_SIZE = 50
const link = `${window.location.origin}/accept-invitation?token=some-token`
const resetLink = `${window.location.origin}/reset-password?token=some-token`

type Reply = (request: Request, id: string) => Response | Promise<Response>
type Resolve = (info: { request: Request; params: Record<string, unknown> }) => Response | Promise<Response>

export class People {
  isKnown = true
  signUp: 'open' | 'closed' = 'open'
  /** If false, responses contain the links that would be mailed. */
  hasMail = true
  hasGeneratedPassword = false
  confirmsEmail = false
  /** The number of invitations that expire within 24 hours. */
  expiring = 0
  sessions: Record<string, SessionPublic[]> = {}
  /** Newest first. */
  audit: AuditEntry[] = []
}

interface Host {
  user: UserPublic | undefined
  users: UserPublic[]
  people: People
  factors: Factors
  identities: Identities
  apiTokens: Record<string, ApiTokenPublic[]>
  token: string
  signedIn: (answer: Reply) => Resolve
}

export function peopleHandlers(api: string, backend: Host): HttpHandler[] {
  const { people } = backend

  /** Answers 404 if the back end lacks these capabilities. */
  const known = (answer: Reply): Resolve => {
    const signedIn = backend.signedIn(answer)
    return (info) => (people.isKnown ? signedIn(info) : refusal(404, 'Not Found'))
  }

  const invitation = (user: UserPublic) => HttpResponse.json({ user, link: people.hasMail ? null : link })
  const sessionsOf = (id: string | undefined) => people.sessions[id ?? ''] ?? []
  const sessionList = (id: string | undefined) =>
    HttpResponse.json({ data: sessionsOf(id), count: sessionsOf(id).length })
  const has = (id: string) => backend.users.some((user) => user.id === id)

  return [
    http.get(`${api}/instance`, () =>
      people.isKnown
        ? HttpResponse.json({
            name: 'Steward',
            version: '0.2.0',
            sign_up: people.signUp,
            passkeys: backend.factors.hasPasskeys,
            second_factor: 'optional',
            confirm_email: people.confirmsEmail,
            oidc: backend.identities.provider,
            password_log_in: backend.identities.takesPasswords,
            mail: people.hasMail,
          })
        : refusal(404, 'Not Found'),
    ),
    ...factorHandlers(api, backend, known),
    ...identityHandlers(api, backend, known),
    ...apiTokenHandlers(api, backend, known),
    http.post(`${api}/accept-invitation`, () => message('Done')),
    http.post(
      `${api}/email-confirmation`,
      known(() => message('Address confirmed')),
    ),
    http.post(
      `${api}/users/me/email-confirmation`,
      known(() => message('Link sent')),
    ),
    http.delete(
      `${api}/users/me/email-confirmation`,
      known(() => {
        if (backend.user) backend.user = { ...backend.user, pending_email: null }
        return message('No address is pending')
      }),
    ),
    http.post(
      `${api}/users/invite`,
      known(async (request) => {
        const values = (await request.json()) as UserInvite
        if (backend.users.some(({ email }) => email === values.email))
          return refusal(409, 'A user with this email already exists')
        const user = makeUser({ full_name: null, ...values, is_invited: true })
        backend.users.unshift(user)
        return invitation(user)
      }),
    ),
    http.post(
      `${api}/users/import`,
      known(async (request) => {
        const { rows, dry_run = false } = (await request.json()) as UsersImport
        const isKnown = (email: unknown) => backend.users.some((user) => user.email === email)
        const existing = rows.flatMap(({ email = '' }) => (isKnown(email) ? [email] : []))
        const errors = rows.flatMap(({ email = '' }, index) =>
          email.includes('@') ? [] : [{ row: index + 1, field: 'email', detail: 'Invalid email address' }],
        )
        const added = rows.filter(({ email = '' }) => email.includes('@') && !isKnown(email))
        const isDone = !dry_run && errors.length === 0
        if (isDone) backend.users.unshift(...added.map((row) => makeUser({ ...row, is_invited: true })))
        const links = isDone ? added.map((row) => ({ row: rows.indexOf(row) + 1, link: `${link}-${row.email}` })) : []
        return HttpResponse.json({
          invited: dry_run || isDone ? added.length : 0,
          existing,
          errors,
          links: people.hasMail ? null : links,
        })
      }),
    ),
    http.post(
      `${api}/users/:id/invite`,
      known((_, id) => {
        const user = backend.users.find((one) => one.id === id)
        if (!user) return refusal(404, 'User not found')
        return user.is_invited ? invitation(user) : refusal(409, 'This user has already set a password')
      }),
    ),
    http.post(
      `${api}/users/:id/password-reset`,
      known((_, id) => {
        if (!has(id)) return refusal(404, 'User not found')
        return HttpResponse.json(
          people.hasMail
            ? { message: 'Password reset sent', link: null }
            : { message: 'There is no mail server', link: resetLink },
        )
      }),
    ),

    http.get(
      `${api}/users/me/sessions`,
      known(() => sessionList(backend.user?.id)),
    ),
    http.delete(
      `${api}/users/me/sessions/:id`,
      known((_, id) => {
        const own = sessionsOf(backend.user?.id)
        const index = own.findIndex((session) => session.id === id)
        if (index === -1) return refusal(404, 'Session not found')
        own.splice(index, 1)
        return message('Ended')
      }),
    ),
    http.post(
      `${api}/users/me/sessions/end-others`,
      known(() => {
        const id = backend.user?.id ?? ''
        people.sessions[id] = sessionsOf(id).filter(({ current }) => current)
        return message('Ended')
      }),
    ),
    http.get(
      `${api}/users/:id/sessions`,
      known((_, id) => (has(id) ? sessionList(id) : refusal(404, 'User not found'))),
    ),
    http.post(
      `${api}/users/:id/sessions/end`,
      known((_, id) => {
        if (!has(id)) return refusal(404, 'User not found')
        people.sessions[id] = []
        return message('Ended')
      }),
    ),

    http.get(
      `${api}/audit/`,
      known((request) => {
        const { limit = PAGE_SIZE, before = 0, ...filters } = queryOf(request)
        const found = findEntries(people.audit, filters)
        const end = Number(before) + Number(limit)
        return HttpResponse.json({ data: found.slice(Number(before), end), next: end < found.length ? `${end}` : null })
      }),
    ),
    http.get(
      `${api}/audit/export`,
      known((request) => {
        const lines = findEntries(people.audit, queryOf(request)).map(({ id }) => `${id}\r\n`)
        const headers = {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': 'attachment; filename="audit-2026-11-21.csv"',
        }
        return new HttpResponse(`\uFEFFid\r\n${lines.join('')}`, { headers })
      }),
    ),
  ]
}

function findEntries(entries: AuditEntry[], filters: Record<string, string>): AuditEntry[] {
  const { q = '', action, result, actor_id, subject_id, from = '', to = '9999' } = filters
  return entries.filter(
    ({ at, ...entry }) =>
      JSON.stringify(entry.details ?? {})
        .toLowerCase()
        .includes(q.toLowerCase()) &&
      (action === undefined || entry.action === action) &&
      (result === undefined || (result === 'failed' ? entry.result !== 'done' : entry.result === result)) &&
      (actor_id === undefined || entry.actor?.id === actor_id) &&
      (subject_id === undefined || entry.subject?.id === subject_id) &&
      (from.length > 10 ? at : at.slice(0, 10)) >= from &&
      at.slice(0, 10) <= to,
  )
}
