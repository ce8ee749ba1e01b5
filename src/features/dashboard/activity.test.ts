import { expect, test } from 'vitest'
import type { AuditParty } from '@/client/types.gen'
import { makeEntry } from '../../../tests/support/people'
import { combineEntries } from './activity'

const root: AuditParty = { id: 'root', email: 'root@example.com' }
const by = (action: string, details: Record<string, unknown> | null = null, actor = root) =>
  makeEntry({ action, actor, details })
const invites = (count: number) => Array.from({ length: count }, () => by('invite'))
const combined = (data: ReturnType<typeof makeEntry>[], next: string | null = null) =>
  combineEntries({ data, next }).map(({ entry, count, isOpenEnded }) => [entry.action, count, isOpenEnded])

test('an import is one row, with its number', () => {
  const data = [by('log-out'), ...invites(3), by('users-import', { action: 'invite', number: 3 }), by('log-in')]
  expect(combined(data)).toEqual([
    ['log-out', 1, false],
    ['users-import', 3, false],
    ['log-in', 1, false],
  ])
})

test('two imports are two rows', () => {
  const one = by('users-import', { number: 2 })
  expect(combined([...invites(2), one, ...invites(2), one])).toEqual([
    ['users-import', 2, false],
    ['users-import', 2, false],
  ])
})

test('an import whose own entry is further back says that there may be more', () => {
  expect(combined(invites(100), 'x')).toEqual([['invite', 100, true]])
  expect(combined([by('invite')], 'x')).toEqual([['invite', 1, false]])
})

test('an import that is still under way, or changed less than it was to, is one row', () => {
  expect(combined([...invites(2), by('users-import', { number: 5 })])).toEqual([['users-import', 5, false]])
})

test('entries of different people, kinds or results stay apart', () => {
  const failed = makeEntry({ action: 'confirm', actor: root, result: 'wrong-password' })
  const unknown = makeEntry({ action: 'log-in', actor: null, result: 'wrong-password' })
  const data = [by('confirm'), failed, by('invite'), by('invite', null, { id: 'x', email: null }), unknown, unknown]
  expect(combined(data)).toHaveLength(6)
})
