import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newFolder } from '../../test/new-folder.ts'
import { sqliteCommits } from './watch.ts'

test('a check for commits is repeated if the database cannot be read', async () => {
  const file = join(newFolder(), 'steward.db')
  const database = new Database(file)
  database.exec('create table things (id integer primary key)')
  const pragma = vi.spyOn(Database.prototype, 'pragma')
  let commits = 0
  const stop = sqliteCommits(file).listen(() => (commits += 1))
  onTestFinished(stop)
  expect(pragma).toHaveBeenCalledTimes(1)
  pragma.mockImplementationOnce(() => {
    throw new Error('disk I/O error')
  })
  await expect.poll(() => pragma.mock.calls.length).toBeGreaterThan(2)
  const before = commits
  database.exec('insert into things default values')
  await expect.poll(() => commits).toBeGreaterThan(before)
})
