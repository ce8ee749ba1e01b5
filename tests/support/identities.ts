import { http, HttpResponse, type HttpHandler } from 'msw'
import type { IdentitiesPublic, IdentityPublic, OidcProvider, UserPublic } from '@/client/types.gen'
import { message, refusal } from './responses'

/** The back end accepts this code of a log-in or token of a link once. */
export const rightHandover = 'right-code'

export const authorization = 'https://login.example.com/authorize?state=x'

export function makeIdentity(values: Partial<IdentityPublic> = {}): IdentityPublic {
  return {
    id: crypto.randomUUID(),
    issuer: 'https://login.example.com',
    email: 'ada@work.example.com',
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
    ...values,
  }
}

export class Identities {
  provider: OidcProvider | null = null
  takesPasswords = true
  hasPassword = true
  own: IdentityPublic[] = []
  /** Identities of other accounts, by the id of the account. */
  others: Record<string, IdentityPublic[]> = {}
  returnTo = '/'
}

type Reply = (request: Request, id: string) => Response | Promise<Response>
type Resolve = (info: { request: Request; params: Record<string, unknown> }) => Response | Promise<Response>

interface Host {
  token: string
  user: UserPublic | undefined
  identities: Identities
}

/** @param known restricts a handler to sessions and to back ends with capabilities */
export function identityHandlers(api: string, backend: Host, known: (reply: Reply) => Resolve): HttpHandler[] {
  const { identities } = backend
  const used = new Set<string>()
  const take = (handed: string): boolean => {
    const isRight = handed === rightHandover && !used.has(handed)
    used.add(handed)
    return isRight
  }
  const session = () => ({ access_token: backend.token, token_type: 'bearer' })
  const list = (data: IdentityPublic[]) => {
    const answer: IdentitiesPublic = { data, count: data.length, has_password: identities.hasPassword }
    return HttpResponse.json(answer)
  }
  const start = () => (identities.provider ? HttpResponse.json({ url: authorization }) : refusal(404, 'Not Found'))
  return [
    http.post(`${api}/login/oidc/complete`, async ({ request }) => {
      const { code } = (await request.json()) as { code: string }
      if (!take(code)) return refusal(400, 'This log-in has expired, please start again')
      return HttpResponse.json({ ...session(), return_to: identities.returnTo })
    }),
    http.post(`${api}/login/link/account`, async ({ request }) => {
      const { token } = (await request.json()) as { token: string }
      const isRight = token === rightHandover && !used.has(token)
      return isRight ? HttpResponse.json({ email: backend.user?.email ?? '' }) : refusal(400, 'Invalid token')
    }),
    http.post(`${api}/login/link`, async ({ request }) => {
      const { token } = (await request.json()) as { token: string }
      return take(token) ? HttpResponse.json(session()) : refusal(400, 'Invalid token')
    }),
    http.get(
      `${api}/users/me/identities`,
      known(() => list(identities.own)),
    ),
    http.post(`${api}/users/me/identities/options`, known(start)),
    http.post(`${api}/users/me/confirm/oidc`, known(start)),
    http.delete(
      `${api}/users/me/identities/:id`,
      known((_, id) => {
        identities.own = identities.own.filter((one) => one.id !== id)
        return message('Removed')
      }),
    ),
    http.get(
      `${api}/users/:id/identities`,
      known((_, id) => list(identities.others[id] ?? [])),
    ),
    http.delete(`${api}/users/:id/identities/:identityId`, (info) =>
      known((_, id) => {
        identities.others[id] = (identities.others[id] ?? []).filter((one) => one.id !== info.params['identityId'])
        return message('Removed')
      })(info),
    ),
  ]
}
