import { http, HttpResponse, type HttpHandler } from 'msw'
import type { ItemPublic, UserPublic } from '@/client/types.gen'
import { makeItem, makeUser, manyItems, message, never, queryOf, refusal } from './answers'
import { csv, findItems, findUsers } from './find-rows'
import { People, peopleHandlers } from './people'

export { makeItem, makeUser, manyItems, never, refusal }

const api = `${window.location.origin}/api/v1`

/** An in-memory back end, whose contents tests can set and read. */
export class Backend {
  token = 'token-of-the-test'
  /** The owner of the token. */
  user: UserPublic | undefined
  users: UserPublic[] = []
  items: ItemPublic[] = []
  password = 'correct horse'
  /** Whether it supports entity tags. Other back ends of the same contract may support none of these. */
  hasTags = true
  /** Whether it supports idempotency keys. */
  hasKeys = true
  /** Whether it supports searches, filters, sorts and exports. */
  hasSearch = true
  people = new People()
  private readonly made = new Map<string, ItemPublic>()

  get handlers(): HttpHandler[] {
    return [
      ...peopleHandlers(api, this),
      http.post(`${api}/login/access-token`, async ({ request }) => {
        const form = new URLSearchParams(await request.text())
        const matches = form.get('username') === this.user?.email && form.get('password') === this.password
        if (!matches) return refusal(400, 'Incorrect email or password')
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
        return HttpResponse.json(makeUser({ email, full_name }))
      }),

      http.get(
        `${api}/users/me`,
        this.signedIn(() => this.answer(this.user)),
      ),
      http.patch(
        `${api}/users/me`,
        this.signedIn((request) => this.update(this.user, request)),
      ),
      http.delete(
        `${api}/users/me`,
        this.signedIn(() => message('Deleted')),
      ),
      http.patch(
        `${api}/users/me/password`,
        this.signedIn(() => message('Changed')),
      ),

      http.get(
        `${api}/users/`,
        this.signedIn((request) => this.page(this.users, findUsers, request)),
      ),
      http.post(
        `${api}/users/`,
        this.signedIn(async (request) => {
          const user = makeUser((await request.json()) as Partial<UserPublic>)
          this.users.unshift(user)
          return this.answer(user)
        }),
      ),
      http.get(
        `${api}/users/export`,
        this.signedIn((request) => this.export('users', this.users, findUsers, request)),
      ),
      http.get(
        `${api}/users/:id`,
        this.signedIn((_, id) => this.answer(find(this.users, id))),
      ),
      http.patch(
        `${api}/users/:id`,
        this.signedIn((request, id) => this.update(find(this.users, id), request)),
      ),
      http.delete(
        `${api}/users/:id`,
        this.signedIn((_, id) => remove(this.users, id)),
      ),

      http.get(
        `${api}/items/`,
        this.signedIn((request) => this.page(this.items, findItems, request)),
      ),
      http.post(
        `${api}/items/`,
        this.signedIn((request) => this.createItem(request)),
      ),
      http.get(
        `${api}/items/export`,
        this.signedIn((request) => this.export('items', this.items, findItems, request)),
      ),
      http.get(
        `${api}/items/:id`,
        this.signedIn((_, id) => this.answer(find(this.items, id))),
      ),
      http.put(
        `${api}/items/:id`,
        this.signedIn((request, id) => this.update(find(this.items, id), request)),
      ),
      http.delete(
        `${api}/items/:id`,
        this.signedIn((_, id) => remove(this.items, id)),
      ),
    ]
  }

  private async createItem(request: Request): Promise<Response> {
    const key = request.headers.get('idempotency-key')
    const earlier = key === null ? undefined : this.made.get(key)
    if (earlier && this.items.includes(earlier)) return this.answer(earlier)
    const item = makeItem((await request.json()) as Partial<ItemPublic>)
    this.items.unshift(item)
    if (key !== null && this.hasKeys) this.made.set(key, item)
    return this.answer(item)
  }

  private page<Row>(rows: Row[], findRows: FindRows<Row>, request: Request): Response {
    const { skip = 0, limit, ...asked } = queryOf(request)
    const found = this.hasSearch ? findRows(rows, asked) : rows
    if (found === undefined) return refusal(422, 'Validation Error')
    return HttpResponse.json({
      data: found.slice(Number(skip), Number(skip) + Number(limit)),
      count: found.length,
    })
  }

  private export<Row extends object>(name: string, rows: Row[], findRows: FindRows<Row>, request: Request): Response {
    const found = findRows(rows, queryOf(request))
    if (!this.hasSearch || found === undefined) return refusal(this.hasSearch ? 422 : 404, 'Not Found')
    const headers = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-2026-11-21.csv"`,
    }
    return new HttpResponse(csv(found), { headers })
  }

  private answer(row: object | undefined): Response {
    if (!row) return refusal(404, 'Not found')
    return HttpResponse.json(row, this.hasTags ? { headers: { etag: tagOf(row) } } : {})
  }

  private async update(row: object | undefined, request: Request): Promise<Response> {
    const condition = request.headers.get('if-match')
    if (row && this.hasTags && condition !== null && condition !== tagOf(row)) return refusal(412, 'Changed')
    return this.answer(row && Object.assign(row, await request.json()))
  }

  signedIn(answer: (request: Request, id: string) => Response | Promise<Response>) {
    return ({ request, params }: { request: Request; params: Record<string, unknown> }) => {
      const held = this.user !== undefined && request.headers.get('authorization') === `Bearer ${this.token}`
      return held ? answer(request, String(params.id)) : refusal(401, 'Could not validate credentials')
    }
  }
}

type FindRows<Row> = (rows: Row[], asked: Record<string, string>) => Row[] | undefined

function find<Row extends { id: string }>(rows: readonly Row[], id: string): Row | undefined {
  return rows.find((row) => row.id === id)
}

function tagOf(row: object): string {
  return `"${encodeURIComponent(JSON.stringify(row))}"`
}

function remove(rows: { id: string }[], id: string) {
  const index = rows.findIndex((row) => row.id === id)
  if (index === -1) return refusal(404, 'Not found')
  rows.splice(index, 1)
  return message('Deleted')
}
