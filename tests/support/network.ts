import { http } from 'msw'
import { setupServer } from 'msw/node'

/** Answers all requests of component tests. `network.use` overrides responses of the back end. */
export const network = setupServer()

export const unhandledRequests: string[] = []

interface SeenRequest {
  method: string
  /** Path relative to /api/v1. */
  path: string
  query: string
  token: string | undefined
  ifMatch: string | null
  idempotencyKey: string | null
  /** Parsed JSON, or text if the body is not JSON. */
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

/** The requests of this test to an operation, oldest first: `requestsTo('POST /items/')`. */
export function requestsTo(operation: string): SeenRequest[] {
  return seen.filter(({ method, path }) => `${method} ${path}` === operation)
}

export function forgetRequests(): void {
  seen.length = 0
}

/** Delays matching requests until the returned function is called. */
export function holdRequests(method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  network.use(http[method](path, () => promise))
  return resolve
}
