// The head script prefetches data for the page while its code loads (src/html/head.ts). The client uses the responses.

interface Prefetched {
  /** The responses by URL with a canonical query. */
  responses: Map<string, { authorization: string; response: Promise<Response> }>
  /** Set when the client sends its own requests, so that nothing is prefetched any more. */
  isOver: boolean
}

declare global {
  interface Window {
    prefetched?: Prefetched
  }
}

const shared = (): Prefetched => (window.prefetched ??= { responses: new Map(), isOver: false })

/** A canonical form of a URL, because its query can be encoded in different ways. */
function keyOf(address: string): string {
  const { origin, pathname, searchParams } = new URL(address, location.href)
  searchParams.sort()
  return `${origin}${pathname}?${searchParams.toString()}`
}

export function prefetch(url: string, authorization: string): Promise<Response> | undefined {
  const { responses, isOver } = shared()
  if (isOver) return undefined
  const response = fetch(url, { headers: { Authorization: authorization }, credentials: 'include' })
  responses.set(keyOf(url), { authorization, response })
  // The code that uses the response handles its failure.
  response.catch(() => undefined)
  return response
}

export function forgetPrefetched(): void {
  window.prefetched = { responses: new Map(), isOver: true }
}

/** Like `fetch`, but returns a prefetched response of the same session once. */
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
