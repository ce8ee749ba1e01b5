import { expect, test } from 'vitest'
import { fileNameOf } from './save-file'

const named = (header: string | null) =>
  fileNameOf(new Response(null, header === null ? {} : { headers: { 'content-disposition': header } }))

test('the response determines the file name', () => {
  expect(named('attachment; filename="users-2026-11-21.csv"')).toBe('users-2026-11-21.csv')
  expect([named('attachment'), named(null)]).toEqual([undefined, undefined])
})
