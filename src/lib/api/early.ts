// The first screen's requests go out from the head of the page, while its code is still on the way (src/html/head.ts); the client
// finds their answers here instead of asking again.

interface EarlyAnswer {
  authorization: string
  response: Promise<Response>
}

declare global {
  interface Window {
    /** Gone once the application asks by itself: an answer from before is not for what it asks later. */
    earlyAnswers?: Map<string, EarlyAnswer> | null
  }
}

/** Makes a request in the head of the page, unless the application asks by itself by now. */
export function askEarly(url: string, authorization: string): Promise<Response> | undefined {
  if (window.earlyAnswers === null) return undefined
  const { href } = new URL(url, location.href)
  const response = fetch(href, { headers: { Authorization: authorization }, credentials: 'include' })
  window.earlyAnswers ??= new Map()
  window.earlyAnswers.set(href, { authorization, response })
  // A failure is the business of who takes it.
  response.catch(() => undefined)
  return response
}

/** The first page is there: what it did not take is out of date soon. */
export function forgetEarly(): void {
  window.earlyAnswers = null
  taken = undefined
}

let taken: Map<string, EarlyAnswer> | null | undefined

/** `fetch`, but a request that was made early in the same session is answered by that, once. */
export const fetchOrTakeEarly: typeof fetch = async (input, init) => {
  // From the first request on, the head asks for nothing more.
  if (window.earlyAnswers !== null) {
    taken = window.earlyAnswers
    window.earlyAnswers = null
  }
  const request = new Request(input, init)
  const early = taken?.get(request.url)
  if (!early || request.method !== 'GET') return fetch(request)
  taken?.delete(request.url)
  return early.authorization === request.headers.get('Authorization') ? early.response : fetch(request)
}
