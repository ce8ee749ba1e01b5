import { setupServer } from 'msw/node'

/** Every request of a component test ends here; a test puts its answers before the back end's with `network.use`. */
export const network = setupServer()

/** Requests that no handler took. Any of them fails the test. */
export const unhandledRequests: string[] = []

interface SeenRequest {
  method: string
  /** Below /api/v1. */
  path: string
  query: string
  /** The bearer's. */
  token: string | undefined
  /** The condition it is sent with. */
  ifMatch: string | null
  /** What it is to be created under, once. */
  idempotencyKey: string | null
  /** What was sent: an object where it was JSON, a text otherwise. */
  body: unknown
}

const seen: SeenRequest[] = []

network.events.on('request:start', ({ request }) => {
  const { pathname, search } = new URL(request.url)
  const entry: SeenRequest = {
    method: request.method,
    path: pathname.replace('/api/v1', ''),
    query: search,
    token: request.headers.get('authorization')?.replace('Bearer ', ''),
    ifMatch: request.headers.get('if-match'),
    idempotencyKey: request.headers.get('idempotency-key'),
    body: '',
  }
  seen.push(entry)
  void request
    .clone()
    .text()
    .then((text) => (entry.body = text.startsWith('{') ? JSON.parse(text) : text))
})

/** What the application asked the API for so far in this test, oldest first: `requestsTo('POST /items/')`. */
export function requestsTo(operation: string): SeenRequest[] {
  return seen.filter(({ method, path }) => `${method} ${path}` === operation)
}

export function forgetRequests(): void {
  seen.length = 0
}
