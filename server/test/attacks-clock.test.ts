import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedOwners } from '../links/deleted-owners.ts'
import { addEntries } from './audit-entries.ts'
import { addRows, anyResource } from './any-resource.ts'
import { buildTestApp, createClock } from './build-test-app.ts'
import { createTestDatabase } from './databases.ts'
import { snapshot } from './snapshot.ts'

const YEAR = 365 * 86_400_000

describe('a clock that is ten years ahead for a moment', () => {
  /** Runs `work` while the clock is wrong. @returns the app, with the right time again */
  async function meanwhile(work: (app: Awaited<ReturnType<typeof buildTestApp>>) => Promise<void>, settings = {}) {
    const clock = createClock()
    const app = await buildTestApp(settings, { clock, database: await createTestDatabase({ shared: true }) })
    clock.advance(10 * YEAR)
    await work(app)
    clock.advance(-10 * YEAR)
    return app
  }

  test('locks nobody out', async () => {
    const email = 'ada@example.com'
    const attempt = async (app: Awaited<ReturnType<typeof buildTestApp>>, password: string) =>
      (await app.tryLogIn(email, password)).statusCode
    let password = ''
    const app = await meanwhile(async (wrong) => {
      ;({ password } = await wrong.newUser({ email }))
      for (let guess = 0; guess < 11; guess += 1) await attempt(wrong, 'wrong')
      expect(await attempt(wrong, password)).toBe(429)
    })
    expect(await attempt(app, password)).toBe(200)
  })

  test('begins no session or token that lasts longer', async () => {
    let token = ''
    let reset = ''
    const app = await meanwhile(async (wrong) => {
      const ada = await wrong.newUser({ email: 'ada@example.com' })
      token = await wrong.logIn(ada.email, ada.password)
      await wrong.anonymous.post(`/password-recovery/${ada.email}`)
      const [mail] = await wrong.deliverMails()
      reset = /token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    })
    expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    const json = { token: reset, new_password: 'another good password' }
    expect((await app.anonymous.post('/reset-password/', json)).statusCode).toBe(400)
  })

  test('deletes at most a part of the audit log', async () => {
    const app = await meanwhile(
      async ({ store, clock, housekeeping }) => {
        const at = clock.now() - 10 * YEAR
        const entries = Array.from({ length: 12_000 }, () => ({ at, action: 'log-in' }))
        await addEntries({ store }, entries)
        await housekeeping.runDue((error) => expect(error).toBeUndefined())
      },
      { AUDIT_DAYS: '30' },
    )
    const { rows } = await sql<{ count: number }>`select count(*) as count from audit`.execute(app.store.db)
    expect(Number(rows[0]?.count)).toBe(12_000 - 9_000)
  })
})

describe('housekeeping', () => {
  async function countLimits({ store }: Awaited<ReturnType<typeof buildTestApp>>) {
    return (await store.db.selectFrom('limits').select('key').execute()).length
  }

  test('goes on when a job fails', async () => {
    const app = await buildTestApp()
    await app.anonymous.post('/password-recovery/ada@example.com')
    app.clock.advance(3_600_001)
    await sql`drop table challenges`.execute(app.store.db)
    const failed: string[] = []
    await app.housekeeping.runDue((_error, job) => failed.push(job))
    expect(failed).toEqual(['challenges'])
    expect(await countLimits(app)).toBe(0)
  })

  test('is done by one server at a time, and by another one when that has crashed', async () => {
    const clock = createClock()
    const database = await createTestDatabase({ shared: true })
    const [one, two] = [await buildTestApp({}, { clock, database }), await buildTestApp({}, { clock, database })]
    await one.housekeeping.runDue((error) => expect(error).toBeUndefined())
    await one.anonymous.post('/password-recovery/ada@example.com')
    // Simulates that a server has claimed the job and crashed.
    await one.store.db
      .updateTable('jobs')
      .set({ due_at: clock.now() + 15 * 60_000 })
      .execute()
    await one.store.db.updateTable('limits').set({ ends_at: clock.now() }).execute()
    clock.advance(14 * 60_000)
    await two.housekeeping.runDue((error) => expect(error).toBeUndefined())
    expect(await countLimits(two)).toBe(4)
    clock.advance(60_000)
    await two.housekeeping.runDue((error) => expect(error).toBeUndefined())
    expect(await countLimits(two)).toBe(0)
  })

  test.each(anyResource)('deletes long rows in small batches', async (sample) => {
    const app = await buildTestApp()
    const ada = await app.newUser()
    await addRows(app, ada, sample, 40)
    const [name, text] = [sample.searched[0], '😀'.repeat(10_000)]
    // Without resources, there are no types of their tables.
    const table = sample.table as 'users'
    await app.store.db
      .updateTable(table)
      .set({ [name]: text, [`${name}_search`]: text })
      .execute()
    expect((await ada.delete('/users/me')).statusCode).toBe(200)
    const left = async () => (await snapshot(app)).rows.length
    expect(await left()).toBe(40)
    await app.store.transaction((tx) => deleteRowsOfDeletedOwners(tx, 0))
    expect(await left()).toBe(34)
    await app.housekeeping.runAll()
    expect(await left()).toBe(0)
  })
})
