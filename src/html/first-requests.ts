// The head script (src/html/head.ts) sends the first requests of a page while its code loads. The client uses their
// responses.

interface FirstRequest {
  authorization: string
  response: Promise<Response>
}

interface FirstRequests {
  /** By URL, with a canonical query. */
  responses: Map<string, FirstRequest>
  /** The client has sent a request itself. */
  isOver: boolean
}

declare global {
  interface Window {
    /** Shared by the head script and the application. */
    firstRequests?: FirstRequests
  }
}

const shared = (): FirstRequests => (window.firstRequests ??= { responses: new Map(), isOver: false })

/** A canonical form, as a query can be encoded in different ways. */
function keyOf(address: string): string {
  const { origin, pathname, searchParams } = new URL(address, location.href)
  searchParams.sort()
  return `${origin}${pathname}?${searchParams.toString()}`
}

/** Sends a first request, unless the application already sends its own. */
export function sendFirstRequest(url: string, authorization: string): Promise<Response> | undefined {
  const { responses, isOver } = shared()
  if (isOver) return undefined
  const response = fetch(url, { headers: { Authorization: authorization }, credentials: 'include' })
  responses.set(keyOf(url), { authorization, response })
  // The consumer handles failures.
  response.catch(() => undefined)
  return response
}

/** Discards unused responses. */
export function forgetFirstRequests(): void {
  window.firstRequests = { responses: new Map(), isOver: true }
}

/** `fetch`, but returns the response to a first request of the same session once. */
export const fetchOnce: typeof fetch = async (input, init) => {
  const first = shared()
  first.isOver = true
  const request = new Request(input, init)
  const key = keyOf(request.url)
  const sent = first.responses.get(key)
  if (!sent || request.method !== 'GET') return fetch(request)
  first.responses.delete(key)
  return sent.authorization === request.headers.get('Authorization') ? sent.response : fetch(request)
}
