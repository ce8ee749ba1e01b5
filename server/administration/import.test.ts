import { describe, expect, test, vi } from 'vitest'
import type { ImportResult, Invitation } from '../contract/types.gen.ts'
import { DomainError } from '../platform/errors.ts'
import { newPassword, statusAndBody, tokenIn } from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { expectConsistentCounts } from '../test/two-servers.ts'

const addressOf = (index: number) => `person${index}@example.com`
const SMTP = { SMTP_URL: 'smtp://127.0.0.1:1' }
const people = (number: number) => Array.from({ length: number }, (_, index) => ({ email: addressOf(index) }))

async function stage(settings: Record<string, string> = {}) {
  const { app, root } = await buildTestAppWith({ root: { is_superuser: true, email: 'root@example.com' } }, settings)
  const send = (rows: readonly object[], dry_run = false) => root.post('/users/import', { rows, dry_run })
  /** The answer without the links. */
  const run = async (rows: readonly object[], dry_run = false) => {
    const [status, { links, ...body }] = statusAndBody(await send(rows, dry_run)) as [number, Partial<ImportResult>]
    return [status, body]
  }
  const linksOf = async (rows: readonly object[], dry_run = false) =>
    (await send(rows, dry_run)).json<ImportResult>().links
  const list = async () => await app.store.db.selectFrom('users').selectAll().orderBy('email').execute()
  const audit = async () => auditOf(app)
  return { ...app, root, run, linksOf, list, audit }
}

describe('an import', () => {
  test('invites people, each with a mail, and leaves those alone that have an account', async () => {
    const scene = await stage()
    const { root, run, list, audit, deliverMails, anonymous, logIn } = scene
    const rows = [
      { email: ' Ada@Example.com ', full_name: 'Ada Lovelace', is_superuser: true },
      { email: 'ROOT@example.com', full_name: 'Somebody else' },
      { email: 'ben@example.com', full_name: null },
    ]
    expect(await run(rows)).toEqual([200, { invited: 2, existing: ['ROOT@example.com'], errors: [] }])
    expect((await list()).map((user) => [user.email, user.full_name, user.is_superuser, user.is_invited])).toEqual([
      ['Ada@Example.com', 'Ada Lovelace', 1, 1],
      ['ben@example.com', null, 0, 1],
      ['root@example.com', null, 1, 0],
    ])
    await expectConsistentCounts(scene)
    const [ada, ben] = await list()
    expect((await audit()).map((one) => [one.action, one.actor_id, one.subject_id, one.details])).toEqual([
      ['users-import', root.id, root.id, { action: 'invite', number: 2 }],
      ['invite', root.id, ada?.id, null],
      ['invite', root.id, ben?.id, null],
    ])
    const mails = await deliverMails()
    const invitations = ['invitation Ada@Example.com', 'invitation ben@example.com']
    expect(mails.map(({ kind, to }) => `${kind} ${to}`).toSorted()).toEqual(invitations)
    const json = { token: tokenIn(mails.find(({ to }) => to === 'ben@example.com')), password: newPassword }
    expect((await anonymous.post('/accept-invitation', json)).statusCode).toBe(200)
    expect(await logIn('ben@example.com', newPassword)).toBeTypeOf('string')
  })

  test('that waits until its session is not fresh any more makes no superuser', async () => {
    const { context, root, clock, list } = await stage()
    const { promise: others, resolve: end } = Promise.withResolvers<void>()
    const running = context.bulks.run(root.id, () => others)
    const json = { rows: [{ email: 'ada@example.com', is_superuser: true }, { email: 'ben@example.com' }] }
    const waiting = root.post('/users/import', json)
    await vi.waitUntil(() => context.bulks.load().waiting === 1)
    clock.advance(10 * 60_000)
    end()
    await running
    expect(statusAndBody(await waiting)).toEqual([423, { detail: 'Please confirm that it is you' }])
    expect(await list()).toHaveLength(1)
  })

  test('of two hundred people changes nothing the second time', async () => {
    const { run, list } = await stage()
    expect(await run(people(180))).toEqual([200, { invited: 180, existing: [], errors: [] }])
    expect(await list()).toHaveLength(181)
    const all = people(180).map(({ email }) => email)
    expect(await run(people(180), true)).toEqual([200, { invited: 0, existing: all, errors: [] }])
    expect(await run(people(180))).toEqual([200, { invited: 0, existing: all, errors: [] }])
    expect(await list()).toHaveLength(181)
  })

  test('says what it would do, and changes nothing', async () => {
    const { run, list, audit, store } = await stage()
    const rows = [...people(3), { email: 'root@example.com' }]
    expect(await run(rows, true)).toEqual([200, { invited: 3, existing: ['root@example.com'], errors: [] }])
    expect(await list()).toHaveLength(1)
    expect(await audit()).toEqual([])
    expect(await store.db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('with errors invites nobody, and names the rows', async () => {
    const { run, list, audit } = await stage()
    const rows = [
      { email: 'ada@example.com' },
      { email: 'not an address' },
      { full_name: 'Nobody' },
      { email: 'ADA@example.com' },
      { email: 'ben@example.com', full_name: 'x'.repeat(256) },
      { email: '', full_name: '\u0000' },
      { email: 'root@example.com' },
    ]
    const invalid = 'Value is not a valid email address'
    const errors = [
      { row: 2, field: 'email', detail: invalid },
      { row: 3, field: 'email', detail: 'Field required' },
      { row: 4, field: 'email', detail: 'An earlier row has the same address' },
      { row: 5, field: 'full_name', detail: 'String should have at most 255 characters' },
      { row: 6, field: 'email', detail: invalid },
      { row: 6, field: 'full_name', detail: expect.stringContaining('control characters') },
    ]
    const existing = ['root@example.com']
    expect(await run(rows)).toMatchObject([200, { invited: 0, existing, errors }])
    expect(await run(rows, true)).toMatchObject([200, { invited: 1, existing, errors }])
    expect(await list()).toHaveLength(1)
    expect(await audit()).toEqual([])
  })

  test('has a link for each person in the answer if there is no mail server, and none for a preview or with errors', async () => {
    const { linksOf, anonymous, logIn, list } = await stage()
    const rows = [{ email: 'root@example.com' }, { email: 'ada@example.com' }, { email: 'ben@example.com' }]
    expect(await linksOf(rows, true)).toEqual([])
    expect(await linksOf([...rows, { email: 'no' }])).toEqual([])
    const links = (await linksOf(rows)) ?? []
    expect(links.map(({ row }) => row)).toEqual([2, 3])
    expect(new Set(links.map(({ link }) => link)).size).toBe(2)
    const json = { token: tokenIn({ text: links[1]?.link ?? '' }), password: newPassword }
    expect((await anonymous.post('/accept-invitation', json)).statusCode).toBe(200)
    expect(await logIn('ben@example.com', newPassword)).toBeTypeOf('string')
    expect(await logIn('ada@example.com', newPassword)).toBeUndefined()
    expect(await list()).toHaveLength(3)
  })

  test('has no links in the answer if there is a mail server', async () => {
    const { linksOf } = await stage(SMTP)
    expect(await linksOf(people(1), true)).toBeNull()
    expect(await linksOf(people(1))).toBeNull()
  })

  test('has no link for a person whose address is taken meanwhile', async () => {
    const { linksOf, newUser, store } = await stage()
    const transaction = store.transaction.bind(store)
    vi.spyOn(store, 'transaction').mockImplementationOnce(async (work) => {
      vi.restoreAllMocks()
      // The links of an attempt that was rolled back are of no use.
      const rollBack = new DomainError('conflict', 'A user with this email already exists')
      try {
        return await transaction(async (tx) => {
          await work(tx)
          throw rollBack
        })
      } finally {
        await newUser({ email: addressOf(1) })
      }
    })
    const links = (await linksOf(people(3))) ?? []
    expect(links.map(({ row }) => row)).toEqual([1, 3])
  })

  test('names addresses that were invited too often, and invites nobody', async () => {
    const { root, run, list } = await stage()
    for (let time = 0; time < 10; time += 1) {
      const { user } = (await root.post('/users/invite', { email: 'often@example.com' })).json<Invitation>()
      expect((await root.delete(`/users/${user.id}`)).statusCode).toBe(200)
    }
    const rows = [...people(45), { email: 'often@example.com' }]
    const errors = [{ row: 46, field: 'email', detail: 'Too many invitations to this address, please try again later' }]
    expect(await run(rows, true)).toEqual([200, { invited: 45, existing: [], errors }])
    expect(await run(rows)).toEqual([200, { invited: 0, existing: [], errors }])
    expect(await list()).toHaveLength(1)
  })

  test('has 1 to 2,000 rows of known types, of at most 2 MiB', async () => {
    const { run, list } = await stage()
    for (const rows of [[], people(2_001), [5], [{ email: 5 }], [{ email: 'a@example.com', is_superuser: 'yes' }]])
      expect((await run(rows as object[]))[0]).toBe(422)
    const long = 'x'.repeat(1_000)
    const allButOne = [200, { invited: 1_999, errors: [{ row: 2_000 }] }]
    expect(await run([...people(1_999), { email: `${long}@example.com` }], true)).toMatchObject(allButOne)
    expect((await run(people(2_000).map(({ email }) => ({ email, full_name: long }))))[0]).toBe(413)
    expect(await list()).toHaveLength(1)
  })

  test('that ends early has invited whole batches, and can be repeated', async () => {
    const scene = await stage()
    const { run, list, store } = scene
    const transaction = store.transaction.bind(store)
    let batches = 0
    vi.spyOn(store, 'transaction').mockImplementation(async (work) => {
      batches += 1
      if (batches === 3) throw Object.assign(new Error('disk full'), { code: 'SQLITE_FULL' })
      return transaction(work)
    })
    const detail = 'Only 40 of 50 users were processed, please try again for the rest'
    expect(await run(people(50))).toEqual([503, { detail }])
    expect(await list()).toHaveLength(41)
    await expectConsistentCounts(scene)
    expect(await run(people(50))).toMatchObject([200, { invited: 10, errors: [] }])
  })

  test('invites nobody whose address is taken meanwhile', async () => {
    const scene = await stage()
    const { run, newUser, store } = scene
    const transaction = store.transaction.bind(store)
    vi.spyOn(store, 'transaction').mockImplementationOnce(async (work) => {
      vi.restoreAllMocks()
      await newUser({ email: 'PERSON1@example.com' })
      return transaction(work)
    })
    expect(await run(people(3))).toEqual([200, { invited: 2, existing: [addressOf(1)], errors: [] }])
    await expectConsistentCounts(scene)
  })
})
