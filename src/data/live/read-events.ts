import { client } from '@/client/client.gen'
import { getToken } from '../session'

/** The server sends a comment every 15 s, so a proxy holds the stream back, or the connection is lost. */
const SILENCE_MS = 35_000

/** A hint that a row has changed. */
export interface Change {
  resource: string
  id: string
  /** The entity tag of its present state; null if it is gone. */
  version: string | null
}

/** The back end has no stream for this session. */
export class Refused extends Error {
  override name = 'Refused'
  readonly status: number

  constructor(status: number) {
    super(`The stream of events was refused: ${status}`)
    this.status = status
  }
}

interface Handlers {
  onHello: () => void
  onChanges: (changes: Change[]) => void
}

/**
 * Reads `GET /events` until it ends. Not by the generated client, which neither tells the status of a refusal nor counts
 * comments.
 * @throws Refused; any error of `fetch`, also after 35 s without a byte
 */
export async function readEvents({ onHello, onChanges }: Handlers, signal: AbortSignal): Promise<void> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENCE_MS)
  try {
    const response = await fetch(client.buildUrl({ url: '/api/v1/events' }), {
      headers: { Accept: 'text/event-stream', Authorization: `Bearer ${getToken()}` },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
    // A server that is busy or restarts is asked again.
    if (response.status >= 500) throw new Error(`The stream of events failed: ${response.status}`)
    if (!response.ok || !isStream || !response.body) throw new Refused(response.status)
    let rest = ''
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let read = await chunks.read(); !read.done; read = await chunks.read()) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENCE_MS)
      const events = (rest + read.value).split('\n\n')
      rest = events.pop() ?? ''
      if (events.some((event) => event.startsWith('event: hello'))) onHello()
      const changes = events.flatMap((event) => /^event: change\ndata: (.*)$/.exec(event)?.[1] ?? [])
      if (changes.length > 0) onChanges(changes.map((data) => JSON.parse(data) as Change))
    }
  } finally {
    clearTimeout(timer)
  }
}
