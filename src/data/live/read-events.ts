import { client } from '@/client/client.gen'
import { getToken } from '../session'

/** The server sends a comment every 15 s. A longer silence means that a proxy buffers or the connection is lost. */
export const SILENCE_MS = 35_000
/** In UTF-16 units. An event of the server has about 150. */
const MAX_EVENT = 64 * 1024

export interface Change {
  resource: string
  id: string
  version: string | null
}

interface Handlers {
  onHello: () => void
  /** Called for each part of the stream after `hello`, even if it has no changes. */
  onPart: (changes: Change[]) => void
}

/**
 * Does not use the generated client, which reports neither the status of a refusal nor comments.
 * @returns the status if the server offers no stream, or not to this session
 * @throws errors of `fetch`, also after 35 s of silence; Error if something else answers
 */
export async function readEvents({ onHello, onPart }: Handlers, signal: AbortSignal): Promise<number | undefined> {
  const over = new AbortController()
  let timer = setTimeout(() => over.abort(), SILENCE_MS)
  try {
    const response = await fetch(client.buildUrl({ url: '/api/v1/events' }), {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${getToken() ?? ''}` },
      signal: AbortSignal.any([signal, over.signal]),
    })
    const { status, body } = response
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    // The caller tries again if the server is busy or restarts, or if a network's login page has answered.
    if (status >= 500 || status === 429 || (status === 200 && !isStream))
      throw new Error(`The stream of events failed: ${status}`)
    if (status !== 200 || !body) return status
    let hasBegun = false
    let rest = ''
    const chunks = body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await chunks.read(); !read.done; read = await chunks.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => over.abort(), SILENCE_MS)
      const events = (rest + read.value).split('\n\n')
      rest = events.pop() ?? ''
      if (!hasBegun && events.some((event) => event.startsWith('event: hello\n'))) {
        hasBegun = true
        onHello()
      }
      if (rest.length > MAX_EVENT) throw new Error('This is no stream of events')
      // A stream without `hello` does not come from our server.
      if (hasBegun) onPart(changesIn(events))
    }
    return undefined
  } finally {
    clearTimeout(timer)
    // Without this, an unread response would keep its connection open.
    over.abort()
  }
}

function changesIn(events: readonly string[]): Change[] {
  const start = 'event: change\ndata: '
  return events
    .filter((event) => event.startsWith(start))
    .map((event) => JSON.parse(event.slice(start.length)) as Change)
}
