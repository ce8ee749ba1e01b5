import { client } from '@/client/client.gen'
import { answers } from '@/client/answers.gen'
import { endSession, getToken } from '../session'
import { reauthenticate } from '../reauthentication'
import {
  ApiError,
  Cancelled,
  endsSession,
  ForeignAnswer,
  keepExchange,
  mayAccountBeGone,
  NEEDS_REAUTHENTICATION,
  Unreachable,
} from './errors'

/** The difference between the server's and this computer's clock, in milliseconds. */
let ahead = 0

export function readServerClock({ headers }: Response): void {
  const at = Date.parse(headers.get('Date') ?? '')
  if (!Number.isNaN(at)) ahead = at - Date.now()
}

/** Times of rows are the server's, and the clocks of some computers are wrong by days. */
export const serverNow = (): number => Date.now() + ahead

type Fetch = typeof globalThis.fetch
type Options = Pick<Parameters<typeof client.request>[0], 'auth' | 'security'>

const OWN_ACCOUNT_PATH = '/api/v1/users/me'

export function setUpClient(fetch: Fetch = (...request) => globalThis.fetch(...request)): void {
  const send: Fetch = (...request) => reach(fetch(...request))
  client.setConfig({ fetch: send })

  client.interceptors.request.use((request, options) => {
    const bearer = currentBearer()
    if (bearer !== null && options.auth === undefined) request.headers.set('Authorization', bearer)
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
    // A late response must neither end a newer session nor show another user's data.
    if (isOfSession(options) && request.headers.get('Authorization') !== currentBearer()) {
      // If there is no token, the browser may have cleared its storage.
      if (getToken() === null) endSession('expired')
      throw new Cancelled('This session is over')
    }
    if (response.ok && !isAnswer(`${method} ${url}`, response, body)) throw new ForeignAnswer()
    return new Response(body.byteLength === 0 ? null : body, response)
  })

  client.interceptors.error.use((error, response, request, options) => {
    if (!request) return error
    // `error` is the body of an error response, or an `Error` if there was no response or the code above threw it.
    if (error instanceof Error) return keepExchange(error, request, response)
    if (!response) return error
    if (isPageInstead(response)) return keepExchange(new ForeignAnswer(), request, response)
    const { status, statusText, headers } = response
    const apiError = new ApiError({ url: request.url, status, statusText, headers }, error, isOfSession(options))
    if (endsSession(apiError) || isAccountGone(apiError, request)) endSession('expired')
    return keepExchange(apiError, request, response)
  })
}

function currentBearer(): string | null {
  const token = getToken()
  return token === null ? null : `Bearer ${token}`
}

const isOfSession = ({ auth, security }: Options): boolean => security !== undefined && auth === undefined

/** Converts the TypeError that `fetch` throws when the network fails. */
async function reach<Result>(result: Promise<Result>): Promise<Result> {
  try {
    return await result
  } catch (error) {
    throw error instanceof TypeError ? new Unreachable(error) : error
  }
}

/** Whether a firewall or proxy refused with a web page. The API never sends web pages, so the session goes on. */
function isPageInstead({ status, headers }: Response): boolean {
  return (status === 401 || status === 403) && headers.get('Content-Type')?.startsWith('text/html') === true
}

function isAccountGone(error: ApiError, { url, method }: Request): boolean {
  return mayAccountBeGone(error) && method === 'GET' && new URL(url).pathname === OWN_ACCOUNT_PATH
}

/** Detects pages of proxies and login pages of networks. @param operation method and path, as in the contract */
export function isAnswer(operation: string, { headers }: Pick<Response, 'headers'>, body: ArrayBuffer): boolean {
  const expected = answers[operation]
  if (expected === undefined) return false
  const mediaType = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  // A file can have any type, but a proxy does not send its page as an attachment.
  if (expected === '*/*') return headers.has('Content-Disposition')
  if (/^\w+\/[\w-]+$/.test(expected)) return mediaType === expected
  return mediaType === 'application/json' && hasProperties(parse(body), expected)
}

function hasProperties(value: unknown, expected: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const properties = expected.split(' ').filter(Boolean)
  return properties.every((property) => {
    const [name = '', kind = ''] = property.split(':')
    return isOf(kind, (value as Record<string, unknown>)[name])
  })
}

function isOf(kind: string, value: unknown): boolean {
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'text') return typeof value === 'string' && value.trim() !== ''
  return typeof value === kind && value !== null
}

function parse(body: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
