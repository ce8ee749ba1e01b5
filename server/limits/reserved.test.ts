import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTestApp } from '../test/build-test-app.ts'
import { consumeReserved } from './reserved.ts'

test('an error of the database fails only the request in which it happens', async () => {
  const { context, store } = await buildTestApp()
  const use = () => consumeReserved(context, 'tokenRequest', { token: 'a token' })
  await sql`alter table limits rename to elsewhere`.execute(store.db)
  await expect(Promise.all([use(), use()])).rejects.toThrow('limits')
  await expect(use()).rejects.toThrow('limits')
  await sql`alter table elsewhere rename to limits`.execute(store.db)
  for (let uses = 0; uses < 60; uses += 1) await use()
})
