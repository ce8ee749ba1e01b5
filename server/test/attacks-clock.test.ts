import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { deleteRowsOfDeletedOwners } from '../links/deleted-owners.ts'
import { addEntries, auditOf } from './audit-entries.ts'
import { addRows, anyResource } from './any-resource.ts'
import { buildTestApp, createClock, knownPassword, type TestApp, tokenIn } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { createTestDatabase } from './databases.ts'
import { snapshot } from './snapshot.ts'
import { buildServers } from './two-servers.ts'

const YEAR = 365 * 86_400_000

const runDue = ({ housekeeping }: TestApp) => housekeeping.runDue((error) => expect(error).toBeUndefined())

describe('a clock that is ten years ahead for a moment', () => {
  /** Runs `work` while the clock is wrong. @returns the app, with the right time again */
  async function meanwhile(work: (app: TestApp) => Promise<void>, settings = {}) {
    const clock = createClock()
    const app = await buildTestApp(settings, { clock, database: await createTestDatabase({ shared: true }) })
    clock.advance(10 * YEAR)
    await work(app)
    clock.advance(-10 * YEAR)
    return app
  }

  test('locks nobody out', async () => {
    const email = 'ada@example.com'
    const app = await meanwhile(async (wrong) => {
      await wrong.newUser({ email })
      for (let guess = 0; guess < 11; guess += 1) await wrong.tryLogIn(email, 'wrong')
      expect((await wrong.tryLogIn(email, knownPassword)).statusCode).toBe(429)
    })
    expect((await app.tryLogIn(email, knownPassword)).statusCode).toBe(200)
  })

  test('begins no session or token that lasts longer', async () => {
    let token = ''
    let reset = ''
    const app = await meanwhile(async (wrong) => {
      const ada = await wrong.newUser()
      token = await wrong.logIn(ada.email, ada.password)
      await wrong.anonymous.post(`/password-recovery/${ada.email}`)
      reset = tokenIn((await wrong.deliverMails())[0])
    })
    expect((await app.as(token).get('/users/me')).statusCode).toBe(401)
    const json = { token: reset, new_password: 'another good password' }
    expect((await app.anonymous.post('/reset-password/', json)).statusCode).toBe(400)
  })

  test('deletes at most a part of the audit log', async () => {
    const fill = async (app: TestApp) => {
      const at = app.clock.now() - 10 * YEAR
      const entries = Array.from({ length: 12_000 }, () => ({ at, action: 'log-in' }))
      await addEntries(app, entries)
      await runDue(app)
    }
    const app = await meanwhile(fill, { AUDIT_DAYS: '30' })
    expect(await auditOf(app)).toHaveLength(12_000 - 9_000)
  })
})

describe('housekeeping', () => {
  async function countLimits({ store }: TestApp) {
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
    const [one, two] = await buildServers()
    const { clock, store } = one
    await runDue(one)
    await one.anonymous.post('/password-recovery/ada@example.com')
    // Simulates that a server has claimed the job and crashed.
    const due_at = clock.now() + 15 * 60_000
    await store.db.updateTable('jobs').set({ due_at }).execute()
    await store.db.updateTable('limits').set({ ends_at: clock.now() }).execute()
    clock.advance(14 * 60_000)
    await runDue(two)
    expect(await countLimits(two)).toBe(4)
    clock.advance(60_000)
    await runDue(two)
    expect(await countLimits(two)).toBe(0)
  })

  test.each(anyResource)('deletes long rows in small batches', async (sample) => {
    const { app, ada } = await buildPeopledApp()
    await addRows(app, ada, sample, 40)
    const [name, text] = [sample.searched[0], '😀'.repeat(10_000)]
    // Without resources, there are no types of their tables.
    const rows = app.store.db.updateTable(sample.table as 'users')
    await rows.set({ [name]: text, [`${name}_search`]: text }).execute()
    expect((await ada.delete('/users/me')).statusCode).toBe(200)
    const left = async () => (await snapshot(app)).rows.length
    expect(await left()).toBe(40)
    await app.store.transaction((tx) => deleteRowsOfDeletedOwners(tx, 0))
    expect(await left()).toBe(34)
    await app.housekeeping.runAll()
    expect(await left()).toBe(0)
  })
})
