import { expect, onTestFinished, test, vi } from 'vitest'
import { isOwn, noteOwnChange } from './own-changes'

const hint = (id: string, version: string | null) => isOwn({ resource: 'items', id, version })

function save(id: string, tag: string): void {
  const body = new TextEncoder().encode(JSON.stringify({ id })).buffer
  noteOwnChange('PUT', { path: { id } }, new Response(null, { headers: { ETag: tag } }), body)
}

test('what others restore after a change of theirs is not taken for an own change', () => {
  save('one', '"a"')
  expect([hint('one', '"a"'), hint('one', '"a"')]).toEqual([true, true])
  expect([hint('one', '"b"'), hint('one', '"a"')]).toEqual([false, false])
})

test('a change of many rows hides one hint of each, for a moment', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  noteOwnChange('POST', { body: { ids: ['two', 'three'] } }, new Response(null), new ArrayBuffer(0))
  expect([hint('two', '"a"'), hint('two', '"b"')]).toEqual([true, false])
  vi.advanceTimersByTime(10_000)
  expect(hint('three', '"a"')).toBe(false)
})
