import { sql } from 'kysely'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import { NewerSchema, OlderSchema } from '../platform/database/migrate.ts'
import type { Store } from '../platform/database/store.ts'
import { buildTestApp, newPassword } from './build-test-app.ts'
import { createEarlierDatabase, createTestDatabase } from './databases.ts'
import { ada, ben, data, gone, history } from './earlier-data.ts'
import { expectConsistentCounts } from './two-servers.ts'

test('a database of 0.2.0 keeps its data and gets the schema of a new one, from servers that start at once', async () => {
  const fresh = await (await createTestDatabase()).open()
  const expected = await describeSchema(fresh)
  await fresh.close()
  const database = await createEarlierDatabase(data + history)
  const stores = await Promise.all([database.open(), database.open(), database.open()])
  for (const store of stores) expect(await describeSchema(store)).toEqual(expected)
  await Promise.all(stores.map((store) => store.close()))

  const app = await buildTestApp({}, { database })
  const { as, anonymous, logIn } = app
  await expectConsistentCounts(app)
  const get = async (path: string) => (await as('session').get(path)).json<{ count: number }>()
  const last_active_at = '1970-01-01T00:00:00.006Z'
  expect(await get('/users/me')).toMatchObject({ id: ada, full_name: 'Ada', last_active_at })
  for (const [path, count] of [
    ['/users/', 2],
    ['/users/?q=ben', 1],
  ] as const)
    expect({ path, ...(await get(path)) }).toMatchObject({ path, count })
  const { data: entries } = (await as('session').get('/audit/')).json<{ data: unknown[] }>()
  expect(entries).toMatchObject([{ action: 'log-in', at: '1970-01-01T00:00:00.003Z' }, { action: 'account-change' }])
  const { data: found } = (await as('session').get('/audit/?q=olmutz')).json<{ data: unknown[] }>()
  expect(found).toMatchObject([{ action: 'account-change' }])
  // The session stays as fresh as it was.
  expect((await as('session').post('/users/me/passkeys/options')).statusCode).toBe(200)
  const reset = { token: 'reset', new_password: newPassword }
  expect((await anonymous.post('/reset-password/', reset)).statusCode).toBe(200)
  const accept = { token: 'told', password: newPassword }
  expect((await anonymous.post('/accept-invitation', accept)).statusCode).toBe(200)
  const token = await logIn('ben@xn--bcher-kva.cd', newPassword)
  expect((await as(token).delete('/users/me')).statusCode).toBe(200)
  await expectConsistentCounts(app)
})

test('an address that a link confirmed without a session is not confirmed any more', async () => {
  const database = await createEarlierDatabase(
    `${data}
      update users set email_confirmed_at = 90000 where id = '${ben}';
      insert into audit (id, at, action, result, subject_id, origin)
        values ('${gone}', 89999, 'address-confirm', 'done', '${ben}', 'server');`,
  )
  const store = await database.open()
  const users = store.db.selectFrom('users').select(['id', 'email_confirmed_at']).orderBy('id')
  expect(await users.execute()).toEqual([
    { id: ada, email_confirmed_at: 7 },
    { id: ben, email_confirmed_at: null },
    { id: gone, email_confirmed_at: null },
  ])
  await store.close()
})

const older = `update kysely_migration set name = '0001-accounts-sessions-items'`
const newer = `insert into kysely_migration values ('9999-new', '2030')`

test.each([
  ['of 0.1.0', older, OlderSchema, 'start 0.2.0 once, then this one'],
  ['of a newer version', newer, NewerSchema, 'newer version'],
])('a database %s is refused and stays as it is', async (_age, statement, kind, words) => {
  const database = await createEarlierDatabase(`${statement};`)
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const failure: unknown = await database.open().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(kind)
    expect(String(failure)).toContain(words)
  }
})

test('an upgrade that waits for a table lets others read it meanwhile', async () => {
  const database = await createEarlierDatabase()
  // SQLite has no locks of tables.
  if (database.url === undefined) return
  const [reader, other] = [new Client(database.url), new Client(database.url)]
  await Promise.all([reader.connect(), other.connect()])
  onTestFinished(async () => void (await Promise.all([reader.end(), other.end()])))
  await reader.query('begin')
  await reader.query('select 1 from users')
  const opening = database.open()
  const waiting = `select 1 from pg_locks where not granted and relation = 'users'::regclass`
  await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
  await other.query('select 1 from users')
  await reader.query('commit')
  await (await opening).close()
})

/** All tables, indexes, triggers and functions as texts. Columns are sorted. */
async function describeSchema({ db }: Store): Promise<string[]> {
  const { rows } = await (isSqlite(db) ? sqliteSchema : postgresSchema).execute(db)
  return rows.flatMap(({ text }) => (isSqlite(db) ? definitions(text) : [text])).toSorted()
}

/** Removes style from a statement. A table becomes a list of columns and constraints. */
function definitions(text: string): string[] {
  const spaced = text.toLowerCase().replaceAll(/["\s]+/g, ' ')
  const plain = spaced.replaceAll(/ ?([(),]) ?/g, '$1')
  const [, table, columns] = /^create table (\w+) ?\((.*)\)$/.exec(plain) ?? []
  if (table === undefined || columns === undefined) return [plain]
  return columns.split(/,(?![^(]*\))/).map((column) => `${table}: ${column.trim()}`)
}

const sqliteSchema = sql<{ text: string }>`select sql as text from sqlite_master where sql is not null`

const postgresSchema = sql<{ text: string }>`
  select concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default, collation_name) as text
    from information_schema.columns where table_schema = current_schema()
  union all select indexdef from pg_indexes where schemaname = current_schema()
  union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
    where connamespace = current_schema()::regnamespace
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
  union all select pg_get_functiondef(p.oid) from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = current_schema()::regnamespace and l.lanname = 'plpgsql'
  union all select concat_ws(' ', ev_class::regclass, rulename) from pg_rewrite r join pg_class c on c.oid = r.ev_class
    where c.relnamespace = current_schema()::regnamespace`
