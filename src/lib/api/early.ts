// The first screen's requests go out from the head of the page, while its code is still on the way (src/html/head.ts); the client
// finds their answers here instead of asking again.

interface EarlyAnswer {
  authorization: string
  response: Promise<Response>
}

interface Early {
  /** By the request's full address. */
  answers: Map<string, EarlyAnswer>
  /** The application asks by itself: an answer from before is not for what it asks later. */
  isOver: boolean
}

declare global {
  interface Window {
    /** The head's script and the application are two programs; this is what they share. */
    early?: Early
  }
}

const shared = (): Early => (window.early ??= { answers: new Map(), isOver: false })

/** Makes a request in the head of the page, unless the application asks by itself by now. */
export function askEarly(url: string, authorization: string): Promise<Response> | undefined {
  const { answers, isOver } = shared()
  if (isOver) return undefined
  const { href } = new URL(url, location.href)
  const response = fetch(href, { headers: { Authorization: authorization }, credentials: 'include' })
  answers.set(href, { authorization, response })
  // A failure is the business of who takes it.
  response.catch(() => undefined)
  return response
}

/** The first page is there: what it did not take is out of date soon. */
export function forgetEarly(): void {
  window.early = { answers: new Map(), isOver: true }
}

/** `fetch`, but a request that was made early in the same session is answered by that, once. */
export const fetchOrTakeEarly: typeof fetch = async (input, init) => {
  const early = shared()
  early.isOver = true
  const request = new Request(input, init)
  const answer = early.answers.get(request.url)
  if (!answer || request.method !== 'GET') return fetch(request)
  early.answers.delete(request.url)
  return answer.authorization === request.headers.get('Authorization') ? answer.response : fetch(request)
}
