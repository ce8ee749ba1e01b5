import { expect, onTestFinished, test, vi } from 'vitest'
import { readEvents } from './read-events'

function openStream(type = 'text/event-stream', status = 200) {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let isGivenUp = false
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
    const stream = new ReadableStream<Uint8Array>({
      start(given) {
        controller = given
        init?.signal?.addEventListener('abort', () => {
          isGivenUp = true
          given.error(new Error('Given up'))
        })
      },
    })
    return new Response(status === 204 ? null : stream, { status, headers: { 'Content-Type': type } })
  })
  const heard: unknown[] = []
  const handlers = { onHello: () => heard.push('hello'), onPart: (changes: object[]) => heard.push(changes) }
  let error: unknown
  let refusal: number | undefined
  readEvents(handlers, new AbortController().signal).then(
    (given) => (refusal = given),
    (thrown: unknown) => (error = thrown),
  )
  return {
    heard,
    refusal: () => refusal,
    hasEnded: () => error !== undefined || refusal !== undefined,
    isGivenUp: () => isGivenUp,
    send: async (text: string) => {
      controller?.enqueue(encoder.encode(text))
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

test('events may come in parts', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(0)
  const change = { resource: 'users', id: '1', version: null }
  await stream.send('event: hello\ndata: {}\n\nevent: change\nda')
  await stream.send(`ta: ${JSON.stringify(change)}\n\n:\n\n`)
  expect(stream.heard).toEqual(['hello', [], [change]])
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

test('what comes without an end is given up', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(0)
  await stream.send('event: hello\ndata: {}\n\n')
  for (let sent = 0; sent < 64; sent += 1) await stream.send('x'.repeat(1024))
  expect(stream.hasEnded()).toBe(false)
  await stream.send('x')
  expect(stream.hasEnded()).toBe(true)
  expect(stream.isGivenUp()).toBe(true)
})

test('what cannot be read closes its connection, of which a browser has few', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(0)
  await stream.send('event: hello\ndata: {}\n\nevent: change\ndata: <html>\n\n')
  expect(stream.hasEnded()).toBe(true)
  expect(stream.isGivenUp()).toBe(true)
})

test('something else than events does not count as a stream', async () => {
  const stream = openStream()
  await vi.advanceTimersByTimeAsync(0)
  await stream.send('event: redirect\ndata: /login\n\n:\n\n')
  expect(stream.heard).toEqual([])
  await stream.send('event: hello\ndata: {}\n\n')
  expect(stream.heard).toEqual(['hello', []])
})

test.each([
  ['a back end without it', 404, 'application/json', true],
  ['an answer without content', 204, '', true],
  ['an ended session', 401, 'application/json', true],
  ['the log-in page of a network', 200, 'text/html', false],
  ['too many requests', 429, 'application/json', false],
  ['a proxy without a server', 502, 'text/html', false],
])('%s closes the connection', async (_what, status, type, isRefused) => {
  const stream = openStream(type, status)
  await vi.advanceTimersByTimeAsync(0)
  expect(stream.refusal()).toBe(isRefused ? status : undefined)
  expect(stream.hasEnded()).toBe(true)
  expect(stream.isGivenUp()).toBe(true)
})
