import { client } from '@/client/client.gen'
import { readServerClock } from '../server-clock'
import { endSession, getToken } from '../session'
import { reauthenticate } from '../reauthentication'
import { isAnswer } from './answer'
import {
  ApiError,
  Cancelled,
  endsSession,
  ForeignAnswer,
  isAccountInDoubt,
  NEEDS_REAUTHENTICATION,
  StaleResponse,
  Unreachable,
  withExchange,
} from './errors'

type Fetch = typeof globalThis.fetch
type Options = Pick<Parameters<typeof client.request>[0], 'auth' | 'security'>

const OWN_ACCOUNT_PATH = '/api/v1/users/me'

/** Adds the token to requests, converts errors, and ends an invalid session. */
export function setUpClient(fetch: Fetch = (...request) => globalThis.fetch(...request)): void {
  const send: Fetch = (...request) => reach(fetch(...request))
  client.setConfig({ fetch: send })

  client.interceptors.request.use((request, options) => {
    const bearer = currentBearer()
    if (bearer !== null && !hasOwnToken(options)) request.headers.set('Authorization', bearer)
    return request
  })

  client.interceptors.response.use(async (first, request, options) => {
    readServerClock(first)
    const { method = '', url, serializedBody } = options
    let response = first
    if (response.status === NEEDS_REAUTHENTICATION) {
      if (!(await reauthenticate())) throw new Cancelled()
      response = await send(new Request(request, serializedBody === undefined ? {} : { body: serializedBody }))
    }
    const body = await reach(response.arrayBuffer())
    // A late response must not end a newer session or show another user's data.
    if (isOfSession(options) && request.headers.get('Authorization') !== currentBearer()) {
      // The storage may have lost the token.
      if (getToken() === null) endSession('expired')
      throw new StaleResponse('This session is over')
    }
    if (response.ok && !isAnswer(`${method} ${url}`, response, body)) throw new ForeignAnswer()
    return new Response(body.byteLength === 0 ? null : body, response)
  })

  client.interceptors.error.use((error, response, request, options) => {
    if (!request) return error
    // Thrown above, or there was no response, such as after an abort. Anything else is the body of a refusal.
    if (error instanceof Error) return withExchange(error, request, response)
    if (!response) return error
    if (isPageInstead(response)) return withExchange(new ForeignAnswer(), request, response)
    const { status, statusText, headers } = response
    const apiError = new ApiError({ url: request.url, status, statusText, headers }, error, isOfSession(options))
    if (endsSession(apiError) || isAccountGone(apiError, request)) endSession('expired')
    return withExchange(apiError, request, response)
  })
}

function currentBearer(): string | null {
  const token = getToken()
  return token === null ? null : `Bearer ${token}`
}

/** The request is of another session than that of this browser. */
function hasOwnToken({ auth }: Options): boolean {
  return auth !== undefined
}

/** The operation needs a session, and the request is of the one in this browser. */
function isOfSession(options: Options): boolean {
  return options.security !== undefined && !hasOwnToken(options)
}

/** `fetch` and the methods of its response fail with a TypeError if the network does. */
async function reach<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(error) : error
  }
}

/** A firewall or proxy refuses with a web page, which the API never does, and which says nothing of the session. */
function isPageInstead({ status, headers }: Response): boolean {
  return (status === 401 || status === 403) && headers.get('Content-Type')?.startsWith('text/html') === true
}

function isAccountGone(error: ApiError, { url, method }: Request): boolean {
  return isAccountInDoubt(error) && method === 'GET' && new URL(url).pathname === OWN_ACCOUNT_PATH
}
