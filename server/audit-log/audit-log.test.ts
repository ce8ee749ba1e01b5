import { change } from '../sessions/change.ts'
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { AuditEntry, AuditPage } from '../contract/types.gen.ts'
import { readDateOrTime } from '../platform/lib/date-or-time.ts'
import { addRow, anyResource } from '../test/any-resource.ts'
import { statusAndBody, buildTestApp, nobody } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { addEntries } from '../test/audit-entries.ts'
import { createTestDatabase } from '../test/databases.ts'

async function stage() {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true, email: 'root@example.com' } })
  const read = async (query: Record<string, string> = {}) => {
    const response = await root.get(`/audit/?${new URLSearchParams(query).toString()}`)
    expect([query, response.statusCode]).toEqual([query, 200])
    return response.json<AuditPage>()
  }
  const actions = async (query: Record<string, string>) => (await read(query)).data.map(({ action }) => action)
  const refuse = async (query: string) => {
    const response = await root.get(`/audit/?${query}`)
    expect([query, response.statusCode]).toEqual([query, 422])
    return response.json<{ detail: { loc: string[]; msg: string }[] }>().detail
  }
  return { app, root, read, actions, refuse }
}

describe('the audit log', () => {
  test('has actor, subject and network address, with email addresses of existing accounts', async () => {
    const { app, root, read } = await stage()
    const ada = await app.newUser({ email: 'ada@example.com' })
    await root.patch(`/users/${ada.id}`, { full_name: 'Ada' }, { ip: '192.0.2.7' })
    app.clock.advance(1000)
    await app.tryLogIn('x@example.com', 'x')
    expect(await read()).toEqual({
      data: [
        {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          at: '2026-01-01T00:00:01.000Z',
          action: 'log-in',
          result: 'wrong-password',
          actor: null,
          subject: null,
          address: '127.0.0.1',
          details: null,
        },
        {
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          at: '2026-01-01T00:00:00.000Z',
          action: 'account-change',
          result: 'done',
          actor: { id: root.id, email: 'root@example.com' },
          subject: { id: ada.id, email: 'ada@example.com' },
          address: '192.0.2.7',
          details: { full_name: { from: null, to: 'Ada' } },
        },
      ],
      next: null,
    })
    await root.delete(`/users/${ada.id}`)
    const { data } = await read({ subject_id: ada.id })
    expect(data.map(({ subject }) => subject)).toEqual([
      { id: ada.id, email: null },
      { id: ada.id, email: null },
    ])
  })

  test('has details with any keys, of at most 2 KiB, with shortened texts', async () => {
    const { app, read } = await stage()
    const details = { number: 3, filter: { q: '💥'.repeat(300), none: null }, flag: true, list: [{ from: 'a' }] }
    const record = (facts: Record<string, unknown>) =>
      change(app.context, { ip: '192.0.2.7' }, {}, async ({ audit }) => audit('sessions-end', { details: facts }))
    await record(details)
    const shortened = { ...details, filter: { q: '💥'.repeat(200), none: null } }
    expect((await read()).data.map((entry) => entry.details)).toEqual([shortened])

    app.clock.advance(1000)
    const long = '\u0001'.repeat(300)
    await record({ from: long, to: long })
    const [newest] = (await read()).data
    expect(newest?.details).toEqual({ from: long.slice(0, 100), to: long.slice(0, 100) })
    await expect(record({ ids: Array.from({ length: 2000 }, () => 1) })).rejects.toThrow('too many values')
  })

  test.each(['1', '7', '100'])('has pages of %s with each entry once, also for equal times', async (limit) => {
    const { app, read } = await stage()
    const equal = Array.from({ length: 60 }, (_, index) => ({ at: Math.floor(index / 20), action: 'log-in' }))
    await addEntries(app, equal)
    const seen: AuditEntry[] = []
    let next: string | null = null
    do {
      const page = await read({ limit, ...(next !== null && { before: next }) })
      expect(page.data.length).toBeLessThanOrEqual(Number(limit))
      seen.push(...page.data)
      next = page.next
      // Later entries must not shift the pages.
      await addEntries(app, [{ at: 1000 + seen.length, action: 'log-out' }])
    } while (next !== null && seen.length < 100)
    expect(seen.filter(({ action }) => action === 'log-in')).toHaveLength(60)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(seen.length)
    const order = seen.map(({ at, id }) => `${at} ${id}`)
    expect(order).toEqual(order.toSorted().toReversed())
  })

  test('has 50 entries per page, and no cursor after the last page', async () => {
    const { app, read } = await stage()
    const fifty = Array.from({ length: 50 }, (_, at) => ({ at, action: 'log-in' }))
    await addEntries(app, fifty)
    expect(await read()).toMatchObject({ next: null })
    await addEntries(app, [{ at: 60, action: 'log-in' }])
    const { data, next } = await read()
    expect([data.length, typeof next]).toEqual([50, 'string'])
    expect((await read({ before: next ?? '' })).data).toHaveLength(1)
  })

  test('can be filtered by each field and their combination', async () => {
    const { app, read, actions } = await stage()
    const [a, b] = [randomUUID(), randomUUID()]
    const all = [
      { at: 1, action: 'log-in', actor_id: a, subject_id: a },
      { at: 2, action: 'log-in', result: 'wrong-password', subject_id: a },
      { at: 3, action: 'role-change', actor_id: b, subject_id: a },
      { at: 4, action: 'log-out', actor_id: b, subject_id: b },
    ]
    await addEntries(app, all)
    expect(await actions({ action: 'log-in' })).toHaveLength(2)
    expect(await actions({ result: 'wrong-password' })).toEqual(['log-in'])
    expect(await actions({ result: 'failed' })).toEqual(['log-in'])
    expect(await actions({ result: 'failed', action: 'log-in', subject_id: a })).toEqual(['log-in'])
    expect(await actions({ result: 'failed', actor_id: b })).toEqual([])
    expect(await actions({ actor_id: b.toUpperCase() })).toEqual(['log-out', 'role-change'])
    expect(await actions({ subject_id: a })).toEqual(['role-change', 'log-in', 'log-in'])
    expect(await actions({ actor_id: b, subject_id: a })).toEqual(['role-change'])
    expect(await actions({ action: 'log-in', result: 'done' })).toEqual(['log-in'])
    expect(await actions({ action: 'log-in', result: 'done', actor_id: a, subject_id: a })).toEqual(['log-in'])
    expect(await actions({ action: 'log-in', actor_id: b })).toEqual([])
    for (const query of [{ action: 'Log-in' }, { action: 'x' }, { result: '%' }, { actor_id: nobody }])
      expect(await read(query)).toEqual({ data: [], next: null })
    const first = await read({ subject_id: a, limit: '2' })
    expect(await actions({ subject_id: a, before: first.next ?? '' })).toEqual(['log-in'])
  })

  test('can be filtered by time, both ends included', async () => {
    const { app, actions } = await stage()
    await addEntries(app, [
      { at: Date.UTC(2026, 10, 20, 23, 59, 59, 999), action: 'before' },
      { at: Date.UTC(2026, 10, 21), action: 'first' },
      { at: Date.UTC(2026, 10, 21, 12), action: 'noon' },
      { at: Date.UTC(2026, 10, 21, 23, 59, 59, 999), action: 'last' },
      { at: Date.UTC(2026, 10, 22), action: 'after' },
    ])
    const day = '2026-11-21'
    expect(await actions({ from: day, to: day })).toEqual(['last', 'noon', 'first'])
    expect(await actions({ from: day })).toEqual(['after', 'last', 'noon', 'first'])
    expect(await actions({ to: '2026-11-20' })).toEqual(['before'])
    expect(await actions({ from: `${day}T12:00:00Z`, to: `${day}T12:00:00.000Z` })).toEqual(['noon'])
    expect(await actions({ from: `${day}T14:00:00+02:00`, to: `${day}T07:00:00-05:00` })).toEqual(['noon'])
    expect(await actions({ from: `${day}T12:00:00.001Z`, action: 'last' })).toEqual(['last'])
    expect(await actions({ from: '2027-01-01', to: day })).toEqual([])
    expect(await actions({ from: '1000-01-01', to: '9999-12-31' })).toHaveLength(5)
  })

  test.each(anyResource)(
    'is searched by the texts in the details, beside any filter, page by page and in an export',
    async (sample) => {
      const { app, root, read, actions } = await stage()
      const ada = await app.newUser({ email: 'ada@example.com' })
      const [name] = sample.searched
      const url = `/${sample.table}/${await addRow(ada, sample, { [name]: 'Ölwechsel: 50%' })}`
      const id = url.slice(-36)
      const [create = '', edit = '', remove = ''] = ['create', 'change', 'delete'].map(
        (what) => `${sample.noun}-${what}`,
      )
      app.clock.advance(1)
      await ada.put(url, { [name]: 'Reifen' })
      app.clock.advance(1)
      await root.delete(url)
      app.clock.advance(1)
      await root.patch(`/users/${ada.id}`, { email: 'ada@example.org' })
      expect(await actions({ q: 'olwechsel' })).toEqual([edit, create])
      expect(await actions({ q: 'REIFEN wechsel' })).toEqual([edit])
      // Shorter words have no trigram.
      expect(await actions({ q: '0%' })).toEqual([edit, create])
      expect(await actions({ q: 'example.org' })).toEqual(['address-change'])
      // A whole id finds a row, and a part of it nothing, as an id contains words such as “ada”.
      expect(await actions({ q: ` ${id.toUpperCase()}` })).toEqual([remove, edit, create])
      expect(await actions({ q: id, action: edit })).toEqual([edit])
      expect(await actions({ q: id.slice(0, 18) })).toEqual([])
      expect(await actions({ q: ada.id })).toEqual([])
      expect(await actions({ q: 'reifen', action: remove, actor_id: root.id, subject_id: ada.id })).toEqual([remove])
      expect(await actions({ q: 'reifen', result: 'failed' })).toEqual([])
      expect(await actions({ q: 'reifen', to: '2025-12-31' })).toEqual([])
      const first = await read({ q: 'reifen', limit: '1' })
      expect(first.data.map(({ action }) => action)).toEqual([remove])
      expect(await actions({ q: 'reifen', before: first.next ?? '' })).toEqual([edit])
      expect((await root.get('/audit/export?q=reifen')).body.trim().split('\r\n')).toHaveLength(3)
      expect((await root.get('/audit/?q=%00')).statusCode).toBe(422)
    },
  )

  test('is searched for words of very many entries in its order', async () => {
    const { app, read } = await stage()
    const many = Array.from({ length: 20_100 }, (_, at) => ({ at, action: `a${at}`, details_search: 'common' }))
    await addEntries(app, many)
    const page = await read({ q: 'common', limit: '2' })
    expect(page.data.map(({ action }) => action)).toEqual(['a20099', 'a20098'])
    const { data } = await read({ q: 'common', limit: '1', before: page.next ?? '' })
    expect(data.map(({ action }) => action)).toEqual(['a20097'])
  })

  test('rejects malformed, empty and repeated parameters', async () => {
    const { app, read, refuse } = await stage()
    await addEntries(app, [
      { at: 1, action: 'log-in' },
      { at: 2, action: 'log-in' },
    ])
    const next = (await read({ limit: '1' })).next ?? ''
    for (const query of [
      'limit=0',
      'limit=101',
      'limit=',
      'limit=x',
      'action=',
      'result=',
      'action=%00',
      'actor_id=',
      'actor_id=x',
      'subject_id=1',
      'before=',
      'before=x',
      'before=null',
      `before=${nobody}`,
      `before=${next}=`,
      `before=${next}A`,
      `before=${next.slice(1)}`,
      `before=${'x'.repeat(300)}`,
      `before=${Buffer.from(`1e3 ${nobody}`).toString('base64url')}`,
      `before=${Buffer.from(`${'9'.repeat(20)} ${nobody}`).toString('base64url')}`,
      `before=${Buffer.from("1 ' or 1=1 --").toString('base64url')}`,
      ...['from', 'to'].flatMap((end) =>
        [
          '',
          'x',
          '2026',
          '2026-13-01',
          '2026-02-30',
          '2026-11-21T10:00:00',
          '2026-11-21T24:00:00Z',
          '2026-11-21T10:00:60Z',
          '2026-11-21T10:00:00%2B25:00',
          '2026-11-21 10:00:00Z',
          'now',
          '1763683200000',
          `${'9'.repeat(60)}-01-01`,
        ].map((text) => `${end}=${text}`),
      ),
      'action=a&action=b',
      'from=2026-01-01&from=2026-01-02',
      `actor_id=${nobody}&actor_id=${nobody}`,
      'limit=1&limit=1',
      `before=${next}&before=${next}`,
    ])
      await refuse(query)
    expect(await refuse('from=tomorrow')).toEqual([
      { loc: ['query', 'from'], msg: 'Input should be a valid date, or time with its zone', type: 'format' },
    ])
    const error = [{ loc: ['query', 'before'], msg: 'Input should be a valid cursor', type: 'cursor' }]
    expect(await refuse('before=tomorrow')).toEqual(error)
  })

  test('treats attack strings as text', async () => {
    const { app, read } = await stage()
    await addEntries(app, [{ at: 1, action: 'log-in' }])
    for (const text of ["' or '1'='1", '%', '_', '\\', '"', ';--', '💥', '‮', 'x'.repeat(255)])
      expect(await read({ action: text, result: text })).toEqual({ data: [], next: null })
  })

  test('cannot be changed by any operation', async () => {
    const { root } = await stage()
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const url of ['/audit/', '/audit', '/audit/export', `/audit/${nobody}`]) {
        const { statusCode } = await root.send(method, url, {})
        expect([404, 405]).toContain(statusCode)
      }
  })

  test('keeps entries for AUDIT_DAYS', async () => {
    const entries = [0, 9, 11].map((days) => ({ at: Date.UTC(2026, 0, 1) - days * 86_400_000, action: `${days} days` }))
    const many = Array.from({ length: 450 }, () => ({ at: 1, action: 'old' }))
    const database = await createTestDatabase({ shared: true })
    const patient = await buildTestApp({}, { database })
    const tidy = await buildTestApp({ AUDIT_DAYS: '10' }, { database })
    await addEntries(patient, [...entries, ...many])
    for (const [app, left] of [
      [patient, 453],
      [tidy, 2],
    ] as const) {
      await app.housekeeping.runAll()
      expect(await app.store.db.selectFrom('audit').select('id').execute()).toHaveLength(left)
    }
  })
})

test('the export of the audit log has the filtered entries with email addresses, and is itself audited', async () => {
  const { app, root, read } = await stage()
  const gone = randomUUID()
  const formula = await app.newUser({ email: '=cmd@example.com' })
  await addEntries(app, [
    { at: 1, action: 'log-in', actor_id: formula.id, subject_id: formula.id, details: '{"filter":{"q":"a,b"}}' },
    { at: 2, action: 'role-change', actor_id: root.id, subject_id: gone, origin: 'server' },
    { at: 3, action: 'log-in', result: 'wrong-password', origin: '2001:db8::1' },
  ])
  const response = await root.get('/audit/export?to=2000-01-01')
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(response.headers['content-disposition']).toMatch(/^attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"$/)
  expect(response.body.split('\r\n').map((line) => line.replace(/^[\da-f-]{36},/, ''))).toEqual([
    '\uFEFFid,at,action,result,actor_id,actor_email,subject_id,subject_email,address,details',
    '1970-01-01T00:00:00.003Z,log-in,wrong-password,,,,,2001:db8::1,',
    `1970-01-01T00:00:00.002Z,role-change,done,${root.id},root@example.com,${gone},,server,`,
    `1970-01-01T00:00:00.001Z,log-in,done,${formula.id},'=cmd@example.com,${formula.id},'=cmd@example.com,192.0.2.1,"{""filter"":{""q"":""a,b""}}"`,
    '',
  ])
  const [newest] = (await read()).data
  expect(newest).toMatchObject({ action: 'audit-export', actor: { id: root.id } })
  const failed = await root.get('/audit/export?result=failed&to=2000-01-01')
  expect(failed.body.split('\r\n').slice(1)).toEqual([expect.stringContaining('wrong-password'), ''])
  expect((await root.get('/audit/export?action=role-change')).body.split('\r\n')).toHaveLength(3)
  for (const query of ['from=x', 'action=', 'to=2026-01-01&to=2026-01-01'])
    expect(statusAndBody(await root.get(`/audit/export?${query}`))[0]).toBe(422)
})

test('a date means its whole day, a time one millisecond', () => {
  const dayOf = Date.UTC(2024, 1, 29)
  expect(readDateOrTime('2024-02-29')).toEqual({ first: dayOf, last: dayOf + 86_400_000 - 1 })
  expect(readDateOrTime('2024-02-29t01:00:00.5+01:00')).toEqual({ first: dayOf + 500, last: dayOf + 500 })
  for (const text of ['2023-02-29', '2024-02-29T', '2024-02-29T01:00Z', '2024-2-9', ' 2024-02-29', '2024-02-29\n'])
    expect(readDateOrTime(text)).toBeUndefined()
})
