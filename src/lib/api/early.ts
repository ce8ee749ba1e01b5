// The first screen's requests go out from the head of the page, while its code is still on the way (src/html/head.ts); the client
// finds their answers here instead of asking again.

interface EarlyAnswer {
  authorization: string
  response: Promise<Response>
}

declare global {
  interface Window {
    earlyAnswers?: Map<string, EarlyAnswer>
  }
}

/** Keeps the answer to a request made in the head of the page. @returns the same answer */
export function keepEarly(url: string, authorization: string, response: Promise<Response>): Promise<Response> {
  window.earlyAnswers ??= new Map()
  window.earlyAnswers.set(url, { authorization, response })
  // A failure is the business of who takes it.
  response.catch(() => undefined)
  return response
}

/** `fetch`, but a request that was made early in the same session is answered by that, once. */
export const fetchOrTakeEarly: typeof fetch = async (input, init) => {
  const request = new Request(input, init)
  const early = window.earlyAnswers?.get(request.url)
  if (!early || request.method !== 'GET') return fetch(request)
  window.earlyAnswers?.delete(request.url)
  return early.authorization === request.headers.get('Authorization') ? early.response : fetch(request)
}
