import { describe, expect, test } from 'vitest'
import { addDemoData, type DemoSize } from '../../scripts/seed/add-demo-data.ts'
import contract from '../../openapi.json' with { type: 'json' }
import { limitKey } from '../limits/table.ts'
import { type List, nobody, type Person, statusAndBody } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { newFolder } from './new-folder.ts'
import { type Sample, samples } from '../../tests/support/samples.ts'
import { linksOf, namesOf, searchedIn, testLink } from './test-link.ts'
import { expectConsistentCounts } from './two-servers.ts'

const all = (changed: number) => [200, { changed, unchanged: 0, refused: [] }]
const download = async (id: string, person: Person) => (await person.get(`/files/${id}`)).statusCode
const others = (detail: string) => [409, { detail: `The list has changed: ${detail} now` }]

export function testResource(sample: Sample): void {
  const { table, noun, schema, least, leastStored, full, fullStored, changes, rejected } = sample
  const { filtered, ranges, files, filterKeys } = sample
  const searched = searchedIn(table)
  const [title] = searched
  const [change = {}] = changes
  const { properties = {} } = (contract.components.schemas as Record<string, { properties?: object }>)[schema] ?? {}
  const list = `/${table}/`
  const notFound = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} not found`
  type Row = Record<string, unknown> & { id: string }

  async function setUp() {
    const { app, root, ada, eve } = await buildPeopledApp(files.length > 0 ? { DATA_DIR: newFolder() } : {})
    const add = async (json: object, person = ada, headers: Record<string, string> = {}) => {
      const response = await person.post(list, json, { headers })
      expect(response.statusCode).toBe(200)
      return response.json<Row>()
    }
    const read = async (query = '', person = ada) => {
      const { data, count } = (await person.get(`${list}${query}`)).json<List>()
      return { ids: data.map(({ id }) => id), count }
    }
    const remove = async (json: object, person = ada) =>
      statusAndBody(await person.post(`${list}bulk`, { action: 'delete', ...json }))
    return { ...app, root, ada, eve, add, read, remove }
  }

  describe(`the ${table}`, () => {
    test('have their version, also in lists and live hints, which is their entity tag without its quotes, and in no export', async () => {
      const { ada, eve, root, add } = await setUp()
      const made = await add(full)
      const changed = await ada.put(`${list}${made.id}`, change)
      const { version } = changed.json<{ version: string }>()
      expect([made.version, changed.headers.etag]).toEqual([expect.not.stringMatching(version), `"${version}"`])
      for (const person of [ada, root]) {
        const { data } = (await person.get(list)).json<List>()
        const one = await person.get(`${list}${made.id}`)
        expect([data[0], one.json(), one.headers]).toMatchObject([{ version }, { version }, { etag: `"${version}"` }])
        expect((await person.get('/events')).body).toContain(JSON.stringify({ resource: table, id: made.id, version }))
      }
      expect((await ada.get(`${list}export`)).body).not.toContain('version')
      await ada.delete(`${list}${made.id}`)
      const gone = JSON.stringify({ resource: table, id: made.id, version: null })
      for (const person of [ada, root]) expect((await person.get('/events')).body).toContain(gone)
      expect((await eve.get('/events')).body).not.toContain(made.id)
    })

    test('are created with defaults, and fields outside the contract are ignored', async () => {
      const { ada, eve, add, clock } = await setUp()
      const forged = { owner_id: eve.id, id: eve.id, created_at: '1999-01-01T00:00:00Z' }
      const always = {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        owner_id: ada.id,
        created_at: new Date(clock.now()).toISOString(),
        version: expect.any(String) as string,
      }
      const made = await add({ ...least, ...forged })
      expect(made).toEqual({ ...leastStored, ...always })
      expect(made.id).not.toBe(eve.id)
      expect(await add(full)).toEqual({ ...fullStored, ...always })
    })

    test('are listed newest first: a user’s own, or all for a superuser', async () => {
      const { ada, eve, root, add, read, clock } = await setUp()
      const ids: string[] = []
      for (const person of [ada, eve, ada]) {
        clock.advance(1)
        ids.unshift((await add(least, person)).id)
      }
      const [third, second, first] = ids
      expect(await read()).toEqual({ ids: [third, first], count: 2 })
      expect(await read('', eve)).toEqual({ ids: [second], count: 1 })
      expect(await read('', root)).toEqual({ ids, count: 3 })
      expect(await read('?skip=1&limit=1', root)).toEqual({ ids: [second], count: 3 })
      expect(await read('?skip=9', root)).toEqual({ ids: [], count: 3 })
      expect(await read(`?owner_id=${eve.id}`, root)).toEqual({ ids: [second], count: 1 })
      expect(await read(`?owner_id=${eve.id}`)).toEqual({ ids: [], count: 0 })
    })

    test.each([...filtered, ...ranges])('are filtered by %s, also for an export and a deletion', async (field) => {
      const { ada, eve, root, add, read, remove } = await setUp()
      const stored = (fullStored as Row)[field]
      const value = typeof stored === 'boolean' ? { true: 'yes', false: 'no' }[`${stored}`] : stored
      const names = ranges.includes(field) ? [`${field}_from`, `${field}_to`] : [field]
      const filter = Object.fromEntries(names.map((name) => [name, value]))
      const other = await add(least)
      const { id } = await add(full)
      await add(full, eve)
      const query = `?${names.map((name) => `${name}=${String(value)}`).join('&')}`
      expect(await read(query)).toEqual({ ids: [id], count: 1 })
      expect((await read(query, root)).count).toBe(2)
      expect((await ada.get(`${list}?${names[0]}=none_of_them`)).statusCode).toBe(422)
      const file = await ada.get(`${list}export${query}`)
      expect(file.body.trim().split('\r\n')).toHaveLength(2)
      expect(await remove({ filter, count: 1 })).toEqual(all(1))
      expect((await read()).ids).toEqual([other.id])
    })

    test.each([...filtered, ...ranges])('are sorted by %s, without a value last', async (field) => {
      const { root, add, read } = await setUp()
      const [small, great] = [(await add(least)).id, (await add(full)).id]
      const [up, down] = [(await read(`?sort=${field}`)).ids, (await read(`?sort=-${field}`)).ids]
      const isEmpty = (leastStored as Row)[field] === null
      const inOrder = ranges.includes(field) ? [small, great] : up
      expect(up).toEqual(isEmpty ? [great, small] : inOrder)
      expect(down).toEqual(isEmpty ? up : up.toReversed())
      expect((await read(`?sort=${field}`, root)).ids).toEqual(up)
    })

    test.each(rejected)('with %s %j are rejected', async (field, value) => {
      const { ada, add } = await setUp()
      const { id } = await add(least)
      for (const [method, url, json] of [
        ['POST', list, { ...full, [field]: value }],
        ['PUT', `${list}${id}`, { [field]: value }],
      ] as const) {
        const response = await ada.send(method, url, json)
        expect(statusAndBody(response)).toEqual([422, { detail: [expect.objectContaining({ loc: ['body', field] })] }])
      }
    })

    test('return the same 404 for another user’s row and for a missing one', async () => {
      const { ada, eve, add } = await setUp()
      const { id } = await add(full)
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        for (const path of [id, nobody]) {
          const answer = await eve.send(method, `${list}${path}`, method === 'PUT' ? least : undefined)
          expect(statusAndBody(answer)).toEqual([404, { detail: notFound }])
        }
      }
      expect((await ada.get(`${list}${id}`)).json()).toMatchObject(fullStored)
    })

    test('keep the fields that an update omits', async () => {
      const { ada, add } = await setUp()
      let row = await add(full)
      for (const json of [{}, { owner_id: nobody }, ...changes]) {
        const before = row
        row = (await ada.put(`${list}${row.id}`, json)).json<Row>()
        const { version } = row
        expect(row).toEqual({ ...before, ...json, ...namesOf(table, json), owner_id: ada.id, version })
      }
      expect((await ada.get(`${list}${row.id}`)).json()).toEqual(row)
    })

    test('have the time of the last change in a header', async () => {
      const { ada, add, clock } = await setUp()
      const { id } = await add(full)
      const lastModified = async () => (await ada.get(`${list}${id}`)).headers['last-modified']
      clock.advance(60_000)
      expect(await lastModified()).toBe('Thu, 01 Jan 2026 00:00:00 GMT')
      await ada.put(`${list}${id}`, change)
      clock.advance(60_000)
      expect(await lastModified()).toBe('Thu, 01 Jan 2026 00:01:00 GMT')
    })

    test('can be changed and deleted by superusers, and keep their owner', async () => {
      const { ada, root, add, read } = await setUp()
      const { id } = await add(full)
      const changed = await root.put(`${list}${id}`, change)
      expect(changed.json()).toMatchObject({ ...change, owner_id: ada.id })
      expect(await read()).toEqual({ ids: [id], count: 1 })
      expect((await root.delete(`${list}${id}`)).statusCode).toBe(200)
      expect(await read()).toEqual({ ids: [], count: 0 })
      expect((await root.delete(`${list}${id}`)).statusCode).toBe(404)
    })

    test('are deleted by their ids: only those that the user may see', async () => {
      const testApp = await setUp()
      const { eve, root, add, read, remove } = testApp
      const [one, two, hers] = [await add(least), await add(full), await add(least, eve)]
      const refused = [hers.id, nobody].map((id) => ({ id, detail: notFound }))
      const ids = [one.id.toUpperCase(), hers.id, nobody, one.id]
      expect(await remove({ ids })).toEqual([200, { changed: 1, unchanged: 0, refused }])
      expect(await read('', root)).toMatchObject({ count: 2 })
      const ofAll = { changed: 2, unchanged: 0, refused: [{ id: one.id, detail: notFound }] }
      expect(await remove({ ids: [one.id, two.id, hers.id] }, root)).toEqual([200, ofAll])
      await expectConsistentCounts(testApp)
    })

    test('are deleted by a filter if as many match as the user saw', async () => {
      const testApp = await setUp()
      const { ada, eve, root, add, read } = testApp
      const made = await add(full)
      for (const person of [ada, ada, eve]) await add(least, person)
      const remove = async (filter: object, count: number, person = ada) => testApp.remove({ filter, count }, person)
      const q = String(made[title])
      expect(await remove({ q }, 2)).toEqual(others(`1 ${noun} matches`))
      const loc = ['body', 'filter']
      const known = { loc, msg: `Input should be one of ${filterKeys.join(', ')}`, type: 'enum' }
      const detail = [known, { loc, msg: 'Invalid input', type: 'propertyNames' }]
      expect(await remove({ [`${title}s`]: q }, 4)).toEqual([422, { detail }])
      expect(await remove({ q }, 1)).toEqual(all(1))
      expect(await remove({}, 3)).toEqual(others(`2 ${table} match`))
      expect(await remove({ owner_id: eve.id }, 0)).toEqual(all(0))
      expect(await remove({ owner_id: eve.id }, 1)).toEqual(others(`0 ${table} match`))
      expect(await remove({ owner_id: ada.id }, 2, root)).toEqual(all(2))
      expect(await read('', root)).toMatchObject({ count: 1 })
      expect(await remove({}, 1, root)).toEqual(all(1))
      await expectConsistentCounts(testApp)
      const log = await root.get(`/audit/?action=${table}-bulk`)
      expect(log.json<{ data: object[] }>().data).toEqual(
        [{}, { owner_id: ada.id }, { owner_id: eve.id }, { q }].map((filter, index) =>
          expect.objectContaining({ details: { action: 'delete', filter, number: [1, 2, 0, 1][index] } }),
        ),
      )
    })

    test('are audited: who created, changed and deleted which one', async () => {
      const { ada, root, add, clock } = await setUp()
      const made = await add(full, ada, { 'idempotency-key': 'a key' })
      await add(full, ada, { 'idempotency-key': 'a key' })
      for (const [method, person, body] of [
        ['PUT', ada, {}],
        ['PUT', root, change],
        ['PUT', ada, change],
        ['DELETE', ada, undefined],
      ] as const) {
        clock.advance(1000)
        await person.send(method, `${list}${made.id}`, body)
      }
      const log = await root.get(`/audit/?subject_id=${ada.id}`)
      const { data } = log.json<{ data: { action: string; actor: { id: string }; details: object }[] }>()
      const row = { id: made.id, [title]: made[title] }
      const changed = Object.fromEntries(
        Object.entries(change).map(([field, to]) => [field, { from: made[field], to }]),
      )
      expect(data.map(({ action, actor, details }) => [action, actor.id, details]).toReversed()).toEqual([
        [`${noun}-create`, ada.id, row],
        [`${noun}-change`, root.id, { ...row, ...changed }],
        [`${noun}-delete`, ada.id, { ...row, [title]: { ...made, ...change }[title] }],
      ])
    })

    test('are audited up to 1,000 times an hour for each person and action, and the audit log says how many are missing', async () => {
      const { ada, eve, root, add, store, clock } = await setUp()
      const use = async (used: number) =>
        store.db
          .updateTable('limits')
          .set({ used })
          .where('key', '=', limitKey('audit', ada.id, `${noun}-create`))
          .execute()
      const actions = async () => {
        const log = await root.get('/audit/')
        const { data } = log.json<{ data: { action: string; details: { number?: number } }[] }>()
        return data.map(({ action, details }) => [action, details.number ?? 0])
      }
      await add(least)
      await use(999)
      clock.advance(1)
      await add(least)
      expect(await actions()).toHaveLength(2)
      clock.advance(1)
      await add(least)
      await add(least)
      expect((await actions())[0]).toEqual(['unrecorded', 2])
      expect(await actions()).toHaveLength(3)
      await add(least, eve)
      expect(await actions()).toHaveLength(4)
      clock.advance(3_600_000)
      await add(least)
      expect(await actions()).toHaveLength(5)
    })

    test('are changed and deleted only if the entity tag matches', async () => {
      const { ada, add } = await setUp()
      const { id } = await add(full)
      const url = `${list}${id}`
      const seen = String((await ada.get(url)).headers.etag)
      const headers = { 'if-match': seen }
      const changed = await ada.put(url, change, { headers })
      expect([changed.statusCode, changed.headers.etag]).toEqual([200, expect.not.stringMatching(seen)])
      expect((await ada.put(url, change, { headers })).statusCode).toBe(412)
      expect((await ada.delete(url, { headers })).statusCode).toBe(412)
    })

    test('are created once per owner and idempotency key', async () => {
      const { eve, root, add, read } = await setUp()
      const key = { 'idempotency-key': 'a key' }
      const { id } = await add(least, undefined, key)
      expect((await add(full, undefined, key)).id).toBe(id)
      // A superuser may see all rows, but idempotency keys belong to one person.
      for (const person of [eve, root])
        expect(await add(full, person, key)).toMatchObject({ ...fullStored, owner_id: person.id })
      expect(await read()).toEqual({ ids: [id], count: 1 })
      expect(await read('', root)).toMatchObject({ count: 3 })
    })

    test('are named by their first text, in the contract as on the server', () => {
      const ofServer = new Set(['id', 'owner_id', 'created_at', 'version'])
      const own = Object.entries(properties).filter(([field]) => !ofServer.has(field))
      const [first] = own.find(([, { type }]) => [type].flat().includes('string')) ?? []
      expect(first).toBe(title)
    })

    test.each(searched)('are found by their %s', async (field) => {
      const { add, read } = await setUp()
      await add(least)
      const { id, [field]: text } = await add(full)
      const q = encodeURIComponent(String(text).toUpperCase())
      expect(await read(`?q=${q}`)).toEqual({ ids: [id], count: 1 })
    })

    test('are sorted, and exported with all fields', async () => {
      const { ada, add, read } = await setUp()
      await add(least)
      await add(full)
      const up = await read(`?sort=${title}`)
      expect(up.count).toBe(2)
      expect((await read(`?sort=-${title}`)).ids).toEqual(up.ids.toReversed())
      const file = await ada.get(`${list}export`)
      const [heading, ...lines] = file.body.replace(/\r\n$/, '').split('\r\n')
      const fields = Object.keys(properties).filter((field) => field !== 'version')
      expect(heading).toBe(`\uFEFF${fields.join(',')}`)
      expect(lines).toHaveLength(2)
      expect(file.headers['content-disposition']).toMatch(new RegExp(`filename="${table}-`))
    })

    test.each(searched)('are exported with their %s as a text, also if it is like a number', async (field) => {
      const { ada, add } = await setUp()
      await add({ ...least, [field]: '-1.50' })
      expect((await ada.get(`${list}export`)).body).toContain(",'-1.50")
    })

    test.each(files)(
      'have a file as %s, which who sees the row downloads, and which is removed after it',
      async (field) => {
        const { ada, eve, root, add, clock, housekeeping, store } = await setUp()
        const upload = async () => (await ada.post('/files?name=a.txt', Buffer.from('text'))).json<Row>()
        const [file, next] = [await upload(), await upload()]
        const stored = { id: file.id, name: 'a.txt', type: 'application/octet-stream', size: 4 }
        const made = await add({ ...full, [field]: { id: file.id } })
        expect(made[field]).toEqual(stored)
        const other = { ...full, [field]: { id: file.id } }
        for (const json of [other, { ...other, [field]: { id: nobody } }])
          expect((await eve.post(list, json)).json()).toMatchObject({
            detail: [{ loc: ['body', field], msg: 'The file is not there any more, please choose it again' }],
          })
        expect([await download(file.id, ada), await download(file.id, root), await download(file.id, eve)]).toEqual([
          200, 200, 404,
        ])
        const url = `${list}${made.id}`
        const before = await ada.get(url)
        // The client sends the file back as it has read it.
        const after = await ada.put(url, { [field]: made[field] })
        expect(after.headers.etag).toBe(before.headers.etag)
        const replaced = await ada.put(url, { [field]: { id: next.id } })
        expect([replaced.json<Row>()[field], replaced.headers.etag]).toEqual([
          { ...stored, id: next.id },
          expect.not.stringMatching(String(before.headers.etag)),
        ])
        expect(await download(file.id, ada)).toBe(404)
        const csv = await ada.get(`${list}export`)
        expect(csv.body).toContain('a.txt')
        expect(csv.body).not.toContain(next.id)
        await ada.delete(url)
        expect(await download(next.id, ada)).toBe(404)
        for (let day = 0; day < 2; day += 1) {
          await housekeeping.runAll()
          clock.advance(86_400_000)
        }
        expect(await store.db.selectFrom('files').select('id').execute()).toEqual([])
      },
    )

    test.each(files)('have files as %s in demo data', async (field) => {
      const { context, root } = await setUp()
      const rows = Object.fromEntries(samples.map((one) => [one.table, 40])) as DemoSize['rows']
      await addDemoData(context, { users: 2, rows }, () => {})
      const { data } = (await root.get(list)).json<List<Row>>()
      const [file] = data.flatMap((row) => (row[field] as { id: string; name: string; size: number } | null) ?? [])
      const { statusCode, body } = await root.get(`/files/${file?.id}`)
      expect([statusCode, body, body.length]).toEqual([200, `This is ${file?.name}.\n`, file?.size])
    })

    for (const [field, link] of Object.entries(linksOf(table))) testLink(sample, field, link)

    test('are deleted with their owner, and counts stay correct', async () => {
      const testApp = await setUp()
      const { ada, eve, root, add, read } = testApp
      await add(full)
      const { id } = await add(least, eve)
      expect((await root.delete(`/users/${ada.id}`)).statusCode).toBe(200)
      expect(await read('', root)).toEqual({ ids: [id], count: 1 })
      await expectConsistentCounts(testApp)
    })
  })
}
