import { act } from '@testing-library/react'
import { http, HttpResponse } from 'msw'

export function hintOf(id: string, version: string | null, resource: string): string {
  return `event: change\ndata: ${JSON.stringify({ resource, id, version })}\n\n`
}

export function createStream(whenReady = Promise.resolve()) {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let opened = 0
  let recent = ''
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
          given.enqueue(encoder.encode(`event: hello\ndata: {}\n\n${recent}`))
        },
      })
      return new HttpResponse(stream, { headers: { 'Content-Type': 'text/event-stream' } })
    }),
    send,
    /** Like `send`, but without waiting for React to render. */
    push,
    hint: (id: string, version: string | null, resource = 'users') => send(hintOf(id, version, resource)),
    sendFirst: (hints: string) => void (recent = hints),
    end: () => act(async () => controller?.close()),
  }
}
