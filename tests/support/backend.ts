import { http, HttpResponse, type HttpHandler } from 'msw'
import type { ItemPublic, UserPublic } from '@/client/types.gen'

export function makeUser(values: Partial<UserPublic> = {}): UserPublic {
  return {
    id: crypto.randomUUID(),
    email: 'ada@example.com',
    full_name: 'Ada Lovelace',
    is_active: true,
    is_superuser: false,
    created_at: '2026-01-01T00:00:00.000Z',
    ...values,
  }
}

export function makeItem(values: Partial<ItemPublic> = {}): ItemPublic {
  return {
    id: crypto.randomUUID(),
    title: 'Notes',
    description: null,
    owner_id: crypto.randomUUID(),
    created_at: '2026-01-01T00:00:00.000Z',
    ...values,
  }
}

const api = `${window.location.origin}/api/v1`

/** A back end in memory, whose contents a test sets and looks at. */
export class Backend {
  readonly token = 'token-of-the-test'
  user: UserPublic | undefined
  items: ItemPublic[] = []
  password = 'correct horse'

  get handlers(): HttpHandler[] {
    return [
      http.post(`${api}/login/access-token`, async ({ request }) => {
        const form = new URLSearchParams(await request.text())
        const matches = form.get('username') === this.user?.email && form.get('password') === this.password
        if (!matches) return HttpResponse.json({ detail: 'Incorrect email or password' }, { status: 400 })
        return HttpResponse.json({ access_token: this.token, token_type: 'bearer' })
      }),
      http.post(`${api}/logout`, () => HttpResponse.json({ message: 'Logged out' })),
      http.get(`${api}/users/me`, ({ request }) =>
        this.isSignedIn(request) ? HttpResponse.json(this.user) : notAuthenticated(),
      ),
      http.get(`${api}/items/`, ({ request }) => {
        if (!this.isSignedIn(request)) return notAuthenticated()
        const query = new URL(request.url).searchParams
        const skip = Number(query.get('skip'))
        const data = this.items.slice(skip, skip + Number(query.get('limit')))
        return HttpResponse.json({ data, count: this.items.length })
      }),
      http.post(`${api}/items/`, async ({ request }) => {
        if (!this.isSignedIn(request)) return notAuthenticated()
        const item = makeItem((await request.json()) as Partial<ItemPublic>)
        this.items.unshift(item)
        return HttpResponse.json(item)
      }),
    ]
  }

  private isSignedIn(request: Request): boolean {
    return this.user !== undefined && request.headers.get('authorization') === `Bearer ${this.token}`
  }
}

function notAuthenticated() {
  return HttpResponse.json({ detail: 'Could not validate credentials' }, { status: 401 })
}
