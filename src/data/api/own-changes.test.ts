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

test('a change of all rows that match hides as many hints as it has changed rows, for a moment', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const answer = new TextEncoder().encode(JSON.stringify({ changed: 2, unchanged: 1, refused: [] })).buffer
  const request = { url: '/api/v1/items/bulk', body: { action: 'delete', filter: {}, count: 3 } }
  noteOwnChange('POST', request, new Response(null), answer)
  expect(isOwn({ resource: 'users', id: 'four', version: null })).toBe(false)
  expect(['four', 'five', 'six'].map((id) => hint(id, null))).toEqual([true, true, false])
  noteOwnChange('POST', request, new Response(null), answer)
  vi.advanceTimersByTime(10_000)
  expect(hint('seven', null)).toBe(false)
})

test('an import hides as many hints as it has added rows, and its preview none', () => {
  const answer = new TextEncoder().encode(JSON.stringify({ invited: 2, existing: [], errors: [], links: null })).buffer
  const user = (id: string) => isOwn({ resource: 'users', id, version: '"a"' })
  const send = (dry_run: boolean) =>
    noteOwnChange('POST', { url: '/api/v1/users/import', body: { rows: [], dry_run } }, new Response(null), answer)
  send(true)
  expect(user('eight')).toBe(false)
  send(false)
  expect(['nine', 'ten', 'eleven'].map(user)).toEqual([true, true, false])
})
