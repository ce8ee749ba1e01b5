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

test('what others do meanwhile does not divide an import, nor single invitations', () => {
  const ada = { id: 'ada', email: 'ada@example.com' }
  const meanwhile = invites(30).flatMap((entry) => [entry, by('log-in', null, ada), by('log-out', null, ada)])
  const [first] = combined([...meanwhile, by('users-import', { number: 30 })])
  expect(first).toEqual(['users-import', 30, false])
  expect(combined(meanwhile)[0]).toEqual(['invite', 30, false])
})

test('the commands of the server are combined, too', () => {
  const entries = Array.from({ length: 30 }, () => makeEntry({ action: 'invite', actor: null, address: 'server' }))
  expect(combined(entries)).toEqual([['invite', 30, false]])
})

test('after a pause, the same is another activity', () => {
  const at = (time: string) => makeEntry({ action: 'invite', actor: root, at: `2026-11-27T${time}:00Z` })
  expect(combined([at('12:00'), at('11:10'), at('10:00')], 'x')).toEqual([
    ['invite', 2, false],
    ['invite', 1, false],
  ])
})

test.each(['totp', 'recovery-code'])('a log-in with an app is one row (%s)', (method) => {
  const step = by('second-factor')
  const asked = makeEntry({ action: 'second-factor', actor: null, subject: root, details: { step: 'asked' } })
  const data = [by('log-in', { method }), step, asked, by('log-out')]
  expect(combined(data)).toEqual([
    ['log-in', 1, false],
    ['log-out', 1, false],
  ])
  const wrong = makeEntry({ action: 'second-factor', actor: null, subject: root, result: 'wrong-code' })
  expect(combined([...data, wrong])).toHaveLength(3)
})

test('entries of different people, kinds or results stay apart', () => {
  const failed = makeEntry({ action: 'confirm', actor: root, result: 'wrong-password' })
  const unknown = makeEntry({ action: 'log-in', actor: null, result: 'wrong-password' })
  const data = [by('confirm'), failed, by('invite'), by('invite', null, { id: 'x', email: null }), unknown, unknown]
  expect(combined(data)).toHaveLength(6)
})
