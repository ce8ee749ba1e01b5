import { expect, onTestFinished, test, vi } from 'vitest'
import { readEvents } from './read-events'

/** Opens a stream, which is aborted like one of the network. */
function openStream() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const stream = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given
        init?.signal?.addEventListener('abort', () => given.error(new Error('Given up')))
      },
    })
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
  })
  const heard: unknown[] = []
  const handlers = { onHello: (quiet: number) => heard.push(quiet), onPart: (changes: object[]) => heard.push(changes) }
  let hasEnded = false
  readEvents(handlers, new AbortController().signal).catch(() => (hasEnded = true))
  return {
    heard,
    hasEnded: () => hasEnded,
    send: async (text: string) => {
      controller?.enqueue(encoder.encode(text))
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('events may come in parts, and a back end may not say since when nothing has changed', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(0)
  const change = { resource: 'items', id: '1', version: null }
  await stream.send('event: hello\ndata: {}\n\nevent: change\nda')
  await stream.send(`ta: ${JSON.stringify(change)}\n\n:\n\n`)
  expect(stream.heard).toEqual([Infinity, [], [change]])
})

test('a stream is given up when nothing has come for 35 seconds, not even a comment', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(34_000)
  await stream.send(':\n\n')
  await vi.advanceTimersByTimeAsync(34_000)
  expect(stream.hasEnded()).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(stream.hasEnded()).toBe(true)
})
