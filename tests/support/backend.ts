import { http, HttpResponse, type HttpHandler } from 'msw'
import { resources } from '@/lib/resources'
import type { ApiTokenPublic, SecondStep, UserPublic, UsersBulk } from '@/client/types.gen'
import { makeUser, manyUsers, message, never, queryOf, refusal } from './responses'
import { fileHandlers, Files } from './files'
import { findUsers } from './find-rows'
import { overviewOf } from './overview'
import { answer, type AnyRow, file, resourceHandlers, page, remove, update } from './resource-handlers'
import { People, peopleHandlers } from './people'
import { Identities } from './identities'
import { Factors } from './second-factor'

export { makeUser, manyUsers, never, refusal }

const api = `${window.location.origin}/api/v1`

/** An in-memory back end. Tests set and read its contents. */
export class Backend {
  token = 'token-of-the-test'
  user: UserPublic | undefined
  users: UserPublic[] = []
  /** The rows of each resource, newest first. */
  rows: Record<string, AnyRow[]> = Object.fromEntries(resources.map(({ tag }) => [tag, []]))
  password = 'correct horse'
  /** Whether rows have a `version`, which the contract makes optional. */
  hasVersions = true
  hasIdempotencyKeys = true
  /** Whether lists have search, filters, sorts and exports. */
  hasSearch = true
  /** Whether regular users see only their own rows. Off by default, because most tests ignore the owner. */
  isPrivate = false
  rowsByIdempotencyKey = new Map<string, object>()
  editedAt = new WeakMap<object, string>()
  people = new People()
  factors = new Factors()
  identities = new Identities()
  files = new Files()
  /** Tokens by the id of their account. */
  apiTokens: Record<string, ApiTokenPublic[]> = {}

  rowsOf(table: string): AnyRow[] {
    return (this.rows[table] ??= [])
  }

  get handlers(): HttpHandler[] {
    return [
      ...peopleHandlers(api, this),
      ...fileHandlers(api, { files: this.files, signedIn: (answered) => this.signedIn(answered) }),
      // 204 says that this back end sends no events.
      http.get(`${api}/events`, () => new HttpResponse(null, { status: 204 })),
      http.post(`${api}/login/access-token`, async ({ request }) => {
        const form = new URLSearchParams(await request.text())
        const matches = form.get('username') === this.user?.email && form.get('password') === this.password
        if (!matches) return refusal(400, 'Incorrect email or password')
        const { step } = this.factors
        if (step) return HttpResponse.json({ detail: askedFor(step), second_factor: step }, { status: 400 })
        return HttpResponse.json({ access_token: this.token, token_type: 'bearer' })
      }),
      http.post(
        `${api}/logout`,
        this.signedIn(() => message('Logged out')),
      ),
      http.post(`${api}/password-recovery/:email`, () => message('Sent')),
      http.post(`${api}/reset-password/`, () => message('Done')),
      http.post(`${api}/users/signup`, async ({ request }) => {
        const { email, full_name } = (await request.json()) as UserPublic
        const user = makeUser({ email, full_name })
        this.users.unshift(user)
        return HttpResponse.json(user)
      }),

      http.get(
        `${api}/users/me`,
        this.signedIn(() => answer(this, this.user)),
      ),
      http.patch(
        `${api}/users/me`,
        this.signedIn(async (request) => update(this, this.user, await this.withPendingEmail(request))),
      ),
      http.delete(
        `${api}/users/me`,
        this.signedIn(() => message('Deleted')),
      ),
      http.get(
        `${api}/users/me/overview`,
        this.signedIn(() => HttpResponse.json(overviewOf(this))),
      ),
      http.patch(
        `${api}/users/me/password`,
        this.signedIn(() => {
          this.people.hasGeneratedPassword = false
          return message('Changed')
        }),
      ),

      http.get(
        `${api}/users/`,
        this.signedIn((request) => {
          const { skip, limit, ...asked } = queryOf(request)
          return page(this, this.findUsers(asked), { skip, limit })
        }),
      ),
      http.post(
        `${api}/users/`,
        this.signedIn(async (request) => {
          const user = makeUser({ is_active: false, ...((await request.json()) as Partial<UserPublic>) })
          this.users.unshift(user)
          return answer(this, user)
        }),
      ),
      http.get(
        `${api}/users/export`,
        this.signedIn((request) => file(this, 'users', this.findUsers(queryOf(request)))),
      ),
      http.post(
        `${api}/users/bulk`,
        this.signedIn(async (request) => this.changeUsers((await request.json()) as UsersBulk)),
      ),
      http.get(
        `${api}/users/:id`,
        this.signedIn((_, id) => answer(this, find(this.users, id))),
      ),
      http.patch(
        `${api}/users/:id`,
        this.signedIn((request, id) => update(this, find(this.users, id), request)),
      ),
      http.delete(
        `${api}/users/:id`,
        this.signedIn((_, id) => remove(this.users, find(this.users, id))),
      ),

      ...resources.flatMap(({ tag }) => resourceHandlers(api, tag, this)),
    ]
  }

  private async withPendingEmail(request: Request): Promise<Request> {
    const { email, ...changes } = (await request.clone().json()) as { email?: string }
    if (!this.people.confirmsEmail || email === undefined) return request
    const body = JSON.stringify({ ...changes, pending_email: email })
    return new Request(request, { method: 'PATCH', body })
  }

  private changeUsers({ action, filter, count, ...body }: UsersBulk): Response {
    const matches = filter && this.findUsers(filter as Record<string, string>)
    if (matches && matches.length !== count)
      return refusal(409, `The list has changed: ${matches.length} users match now`)
    const ids = body.ids ?? (matches ?? []).map(({ id }) => id)
    const found = this.users.filter(({ id }) => ids.includes(id) && id !== this.user?.id)
    const isActive = action === 'activate'
    const changed = found.filter((user) => action === 'delete' || user.is_active !== isActive)
    if (action === 'delete') this.users = this.users.filter((user) => !found.includes(user))
    else for (const user of found) user.is_active = isActive
    const refused = ids.filter((id) => !found.some((user) => user.id === id))
    return HttpResponse.json({
      changed: changed.length,
      unchanged: found.length - changed.length,
      changed_ids: changed.map(({ id }) => id),
      refused: refused.map((id) => ({ id, detail: 'User not found' })),
    })
  }

  private findUsers(asked: Record<string, string>) {
    return this.hasSearch ? findUsers(this.users, asked) : this.users
  }

  signedIn(respond: (request: Request, id: string) => Response | Promise<Response>) {
    return ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
      const held = this.user !== undefined && request.headers.get('authorization') === `Bearer ${this.token}`
      return held ? respond(request, String(params.id)) : refusal(401, 'Could not validate credentials')
    }
  }
}

function askedFor({ methods, enrol }: SecondStep): string {
  if (enrol) return 'Set up an authenticator app to log in'
  return methods.includes('totp') ? 'Enter the code of your authenticator app' : 'Use your passkey to log in'
}

function find<Row extends { id: string }>(rows: readonly Row[], id: string): Row | undefined {
  return rows.find((row) => row.id === id)
}

/** Removes the properties of users by which the client detects invitations, sessions, exports and the audit log. */
export function removeCapabilities(backend: Backend): void {
  backend.users = backend.users.map(withoutCapabilities)
  backend.user &&= withoutCapabilities(backend.user)
}

function withoutCapabilities({ is_invited: _, last_active_at: _unused, ...user }: UserPublic): UserPublic {
  return user
}
