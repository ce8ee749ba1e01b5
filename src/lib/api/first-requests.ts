// The head script (src/html/head.ts) sends the first requests of a page while its code loads. The client uses their
// responses.

interface FirstRequest {
  authorization: string
  response: Promise<Response>
}

interface FirstRequests {
  /** By URL, with a canonical query. */
  answers: Map<string, FirstRequest>
  /** The client has sent a request itself. */
  isOver: boolean
}

declare global {
  interface Window {
    /** Shared by the head script and the application. */
    firstRequests?: FirstRequests
  }
}

const shared = (): FirstRequests => (window.firstRequests ??= { answers: new Map(), isOver: false })

/** A canonical form, as a query can be encoded in different ways. */
function keyOf(address: string): string {
  const { origin, pathname, searchParams } = new URL(address, location.href)
  return `${origin}${pathname}?${searchParams.toString()}`
}

/** Sends a first request, unless the application already sends its own. */
export function sendFirstRequest(url: string, authorization: string): Promise<Response> | undefined {
  const { answers, isOver } = shared()
  if (isOver) return undefined
  const response = fetch(url, { headers: { Authorization: authorization }, credentials: 'include' })
  answers.set(keyOf(url), { authorization, response })
  // The consumer handles failures.
  response.catch(() => undefined)
  return response
}

/** Discards unused responses. */
export function forgetFirstRequests(): void {
  window.firstRequests = { answers: new Map(), isOver: true }
}

/** `fetch`, but returns the response to a first request of the same session once. */
export const fetchOrTakeAnswer: typeof fetch = async (input, init) => {
  const first = shared()
  first.isOver = true
  const request = new Request(input, init)
  const key = keyOf(request.url)
  const answer = first.answers.get(key)
  if (!answer || request.method !== 'GET') return fetch(request)
  first.answers.delete(key)
  return answer.authorization === request.headers.get('Authorization') ? answer.response : fetch(request)
}
