import { act } from '@testing-library/react'
import { http, HttpResponse } from 'msw'

export function hintOf(id: string, version: string | null, resource: string): string {
  return `event: change\ndata: ${JSON.stringify({ resource, id, version })}\n\n`
}

/** A stream of events, which a test fills. @param quiet for how long nothing has changed, in milliseconds */
export function createStream(quiet = 60_000, whenReady = Promise.resolve()) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let opened = 0
  let quietMs = quiet
  const push = (text: string) => controller?.enqueue(encoder.encode(text))
  const send = (text: string) => act(async () => push(text))
  return {
    opened: () => opened,
    handler: http.get('*/api/v1/events', async () => {
      await whenReady
      opened += 1
      const stream = new ReadableStream<Uint8Array>({
        start(given) {
          controller = given
          given.enqueue(encoder.encode(`event: hello\ndata: {"quiet_ms":${quietMs}}\n\n`))
        },
      })
      return new HttpResponse(stream, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
    send,
    /** The same, also while React works. */
    push,
    hint: (id: string, version: string | null, resource = 'items') => send(hintOf(id, version, resource)),
    /** @param quietAfter what the next one says, during which nothing has changed */
    end: (quietAfter = 0) => {
      quietMs = quietAfter
      return act(async () => controller?.close())
    },
  }
}
