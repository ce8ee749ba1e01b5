import { http, HttpResponse, type HttpHandler } from 'msw'
import type { ApiTokenCreate, ApiTokenPublic, UserPublic } from '@/client/types.gen'
import { message, refusal } from './responses'

export function makeApiToken(values: Partial<ApiTokenPublic> = {}): ApiTokenPublic {
  return {
    id: crypto.randomUUID(),
    name: 'Nightly export',
    scope: 'read',
    created_at: '2026-01-01T00:00:00.000Z',
    expires_at: '2999-01-01T00:00:00.000Z',
    last_used_at: null,
    address: null,
    ...values,
  }
}

export const newToken = `stw_${'0aZ'.repeat(16)}0`

type Reply = (request: Request, id: string) => Response | Promise<Response>
type Known = (answer: Reply) => HttpHandlerResolver
type HttpHandlerResolver = (info: { request: Request; params: Record<string, unknown> }) => Response | Promise<Response>

interface Host {
  user: UserPublic | undefined
  apiTokens: Record<string, ApiTokenPublic[]>
}

export function apiTokenHandlers(api: string, backend: Host, known: Known): HttpHandler[] {
  const tokensOf = (id = '') => (backend.apiTokens[id] ??= [])
  const list = (id?: string) => HttpResponse.json({ data: tokensOf(id), count: tokensOf(id).length })
  const end = (userId: string | undefined, id: string) => {
    const index = tokensOf(userId).findIndex((token) => token.id === id)
    if (index === -1) return refusal(404, 'Token not found')
    tokensOf(userId).splice(index, 1)
    return message('Token ended')
  }
  return [
    http.get(
      `${api}/users/me/tokens`,
      known(() => list(backend.user?.id)),
    ),
    http.post(
      `${api}/users/me/tokens`,
      known(async (request) => {
        const made = makeApiToken((await request.json()) as ApiTokenCreate)
        tokensOf(backend.user?.id).unshift(made)
        return HttpResponse.json({ ...made, token: newToken })
      }),
    ),
    http.delete(
      `${api}/users/me/tokens/:id`,
      known((_, id) => end(backend.user?.id, id)),
    ),
    http.get(
      `${api}/users/:id/tokens`,
      known((_, id) => list(id)),
    ),
    http.delete(
      `${api}/users/:id/tokens/:token`,
      known(({ url }, id) => end(id, url.replace(/.*\//, ''))),
    ),
  ]
}
