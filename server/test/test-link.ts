import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Link, type Links, nameFieldOf } from '../links/link.ts'
import { resources } from '../resources.ts'
import { type List, nobody, type Person, statusAndBody, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { type Sample, samples } from '../../tests/support/samples.ts'
import { expectConsistentCounts } from './two-servers.ts'

const resourceOf = (table: string) => resources.find((one) => one.table === table)

export const linksOf = (table: string): Links => resourceOf(table)?.links ?? {}

/** Fields that were added later are not. */
export const searchedIn = (table: string): readonly [string, ...string[]] => resourceOf(table)?.searched ?? ['']

/** The names of the linked rows of a sample, which stand beside their ids. */
export function namesOf(table: string, values: object): object {
  const given = Object.keys(linksOf(table)).filter((field) => field in values)
  return Object.fromEntries(
    given.map((field) => {
      const id = (values as Record<string, string | null>)[field]
      return [nameFieldOf(field), id ? `Linked ${id.charAt(0)}` : null]
    }),
  )
}

type Row = Record<string, unknown> & { id: string }

export function testLink({ table, least, full }: Sample, field: string, { to, onDelete }: Link): void {
  const list = `/${table}/`
  const nameField = nameFieldOf(field)
  const target = samples.find((one) => one.table === to) as Sample
  const [targetName] = target.searched
  const isRequired = field in least

  const addTarget = async (person: Person) =>
    (await person.post(`/${to}/`, { ...target.least, [targetName]: 'A target' })).json<Row>()
  const addTo = async (person: Person, id: string) => person.post(list, { ...full, [field]: id })
  const read = async (person: Person, id: string) => person.get(`${list}${id}`)
  const remove = async (person: Person, id: string) => person.delete(`/${to}/${id}`)

  test(`link by ${field} only to rows that the person sees`, async () => {
    const { ada, eve, root } = await buildPeopledApp()
    const [own, foreign, gone] = [await addTarget(ada), await addTarget(eve), await addTarget(ada)]
    await remove(ada, gone.id)
    const made = await addTo(ada, own.id)
    expect(statusAndBody(made)).toEqual([200, expect.objectContaining({ [field]: own.id, [nameField]: 'A target' })])
    const words = field.replace(/_id$/, '').replaceAll('_', ' ')
    const msg = `${words.charAt(0).toUpperCase()}${words.slice(1)} not found`
    const refusal = [422, { detail: [{ loc: ['body', field], msg, type: 'unprocessable' }] }]
    const { id } = made.json<Row>()
    for (const other of [foreign.id, gone.id, nobody]) {
      expect(statusAndBody(await addTo(ada, other))).toEqual(refusal)
      const json = { [field]: other }
      expect(statusAndBody(await ada.put(`${list}${id}`, json))).toEqual(refusal)
    }
    expect((await addTo(root, foreign.id)).statusCode).toBe(200)
    expect((await addTo(ada, own.id.toUpperCase())).json()).toMatchObject({ [field]: own.id })
  })

  test(`show the name of a row that ${field} links to only to those who see it, and keep their entity tag`, async () => {
    const { ada, eve, root } = await buildPeopledApp()
    const [own, foreign] = [await addTarget(ada), await addTarget(eve)]
    const { id } = (await addTo(ada, own.id)).json<Row>()
    const before = String((await read(ada, id)).headers.etag)
    const json = { [targetName]: 'Another name' }
    await ada.put(`/${to}/${own.id}`, json)
    const after = await read(ada, id)
    expect([after.json<Row>()[nameField], after.headers.etag]).toEqual(['Another name', before])
    const query = `?${field}=${own.id}`
    const page = await ada.get(`${list}${query}`)
    expect(page.json()).toMatchObject({ count: 1, data: [{ id, [nameField]: 'Another name' }] })
    const file = await ada.get(`${list}export${query}`)
    expect(file.body).toContain(`${own.id},Another name`)
    const bulk = { action: 'delete', filter: { [field]: nobody }, count: 1 }
    expect((await ada.post(`${list}bulk`, bulk)).statusCode).toBe(409)

    await root.put(`${list}${id}`, { [field]: foreign.id })
    expect((await read(root, id)).json()).toMatchObject({ [field]: foreign.id, [nameField]: 'A target' })
    expect((await read(ada, id)).json()).toMatchObject({ [field]: foreign.id, [nameField]: null })
    const unchanged = await ada.put(`${list}${id}`, { [field]: foreign.id })
    expect(unchanged.statusCode).toBe(200)
  })

  /** Deletes two linked rows, one of them among many. The row that links to the second has another owner. */
  async function removeLinked() {
    const { app, ada, root } = await buildPeopledApp()
    const { store, clock } = app
    const [one, other] = [await addTarget(ada), await addTarget(ada)]
    const ids = [(await addTo(ada, one.id)).json<Row>().id, (await addTo(root, other.id)).json<Row>().id]
    const readAll = async () => Promise.all(ids.map(async (id) => read(root, id)))
    const before = await readAll()
    await store.db.deleteFrom('changes').execute()
    clock.advance(60_000)
    const single = statusAndBody(await remove(ada, one.id))
    const json = { action: 'delete', ids: [other.id] }
    const many = (await ada.post(`/${to}/bulk`, json)).json<object>()
    const changed = await store.db.selectFrom('changes').select('row_id').where('resource', '=', table).execute()
    await expectConsistentCounts(app)
    return {
      single,
      many,
      other,
      before: before.map(({ headers }) => headers.etag),
      after: await readAll(),
      hasHints: ids.map((id) => changed.some(({ row_id }) => row_id === id)),
    }
  }

  test(`follow the deletion of the row that ${field} links to: ${onDelete}`, async () => {
    const { single, many, other, before, after, hasHints } = await removeLinked()
    const detail = `1 of the ${table} links to this ${target.noun}`
    const isRefused = onDelete === 'refuse'
    const refused = { changed: 0, unchanged: 0, refused: [{ id: other.id, detail }] }
    expect([single[0], many]).toEqual(isRefused ? [409, refused] : [200, { changed: 1, unchanged: 0, refused: [] }])
    expect(hasHints).toEqual(isRefused ? [false, false] : [true, true])
    const check = {
      refuse() {
        expect(single[1]).toEqual({ detail })
        expect(after.map(({ headers }) => headers.etag)).toEqual(before)
      },
      clear() {
        for (const [index, response] of after.entries()) {
          expect(response.json()).toMatchObject({ [field]: null, [nameField]: null })
          expect(response.headers.etag).not.toBe(before[index])
          expect(response.headers['last-modified']).toBe('Thu, 01 Jan 2026 00:01:00 GMT')
        }
      },
      delete() {
        expect(after.map(({ statusCode }) => statusCode)).toEqual([404, 404])
      },
    }
    check[onDelete]()
  })

  test(`do not prevent the deletion of the account that owns the row of ${field}, or that owns the link`, async () => {
    const { app, ada, eve, root } = await buildPeopledApp()
    const { housekeeping } = app
    const hers = await addTarget(ada)
    await addTo(ada, hers.id)
    const { id } = (await addTo(root, hers.id)).json<Row>()
    await root.delete(`/users/${ada.id}`)
    expect((await read(root, id)).json()).toMatchObject({ [field]: hers.id, [nameField]: null })
    await housekeeping.runAll()
    const left = await read(root, id)
    expect([left.statusCode, left.json<Row>()[field]]).toEqual(isRequired ? [404, undefined] : [200, null])

    const own = await addTarget(eve)
    const other = await app.newUser({ is_superuser: true })
    await addTo(other, own.id)
    await root.delete(`/users/${other.id}`)
    expect((await remove(eve, own.id)).statusCode).toBe(200)
    await housekeeping.runAll()
    await expectConsistentCounts(app)
  })

  test(`never link by ${field} to a row that is deleted meanwhile`, async () => {
    const { ada, app } = await buildPeopledApp()
    for (let round = 0; round < 8; round += 1) {
      const { id } = await addTarget(ada)
      const responses = await Promise.all([addTo(ada, id), remove(ada, id)])
      const outcomes = { refuse: [200, 409], clear: [200, 200], delete: [200, 200] }
      expect([outcomes[onDelete], [422, 200]]).toContainEqual(responses.map(({ statusCode }) => statusCode))
    }
    const dangling = sql`select 1 from ${sql.table(table)} where ${sql.ref(field)} is not null
      and ${sql.ref(field)} not in (select id from ${sql.table(to)})`
    expect((await dangling.execute(app.store.db)).rows).toEqual([])
  })

  /** Adds rows that link to the same one. @returns their ids, which come after those of most other rows */
  async function addCopies({ store }: TestApp, { id }: Row, count: number): Promise<string[]> {
    const resource = resourceOf(table)
    const row = await resource?.find(store.db, { id, ownerId: undefined })
    const copies = Array.from({ length: count }, () => ({ ...(row as object), id: `f${randomUUID().slice(1)}` }))
    await store.transaction(async (tx) => resource?.insertMany(tx, copies as never[]))
    return copies.map((copy) => copy.id)
  }

  if (onDelete === 'refuse') return
  test(`follow the deletion of a row that ${field} links to if they are not too many`, async () => {
    const { app, ada } = await buildPeopledApp()
    const { id } = await addTarget(ada)
    const made = (await addTo(ada, id)).json<Row>()
    await addCopies(app, made, 1_000)
    const detail = `More than 1,000 rows link to this ${target.noun}: delete some of them first`
    expect(statusAndBody(await remove(ada, id))).toEqual([409, { detail }])
    await ada.delete(`${list}${made.id}`)
    expect((await remove(ada, id)).statusCode).toBe(200)
    const { count } = (await ada.get(list)).json<List>()
    expect(count).toBe(onDelete === 'clear' ? 1_000 : 0)
  })

  if (onDelete === 'clear' || to !== table) return
  test(`count rows that go with the one that ${field} links to as deleted`, async () => {
    const { app, ada, eve, root } = await buildPeopledApp()
    const bulk = async (json: object) => statusAndBody(await ada.post(`${list}bulk`, { action: 'delete', ...json }))
    /** Adds a row, and so many that link to it that some are in the next batch. */
    async function addFamily(): Promise<string[]> {
      const { id } = await addTarget(ada)
      const child = (await addTo(ada, id)).json<Row>()
      return [id, child.id, ...(await addCopies(app, child, 60))]
    }
    const all = [200, { changed: 62, unchanged: 0, refused: [] }]
    expect(await bulk({ ids: await addFamily() })).toEqual(all)
    await addFamily()
    expect(await bulk({ filter: { owner_id: ada.id }, count: 62 })).toEqual(all)

    const { id } = await addTarget(ada)
    const foreign = (await addTo(eve, (await addTarget(eve)).id)).json<Row>()
    await root.put(`${list}${foreign.id}`, { [field]: id })
    const refused = [{ id: foreign.id, detail: expect.stringMatching(/ not found$/) as string }]
    expect(await bulk({ ids: [id, foreign.id] })).toEqual([200, { changed: 1, unchanged: 0, refused }])
    expect((await root.get(`${list}${foreign.id}`)).statusCode).toBe(404)
    await expectConsistentCounts(app)
  })
}
