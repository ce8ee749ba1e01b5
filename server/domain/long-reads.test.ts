import { expect, test } from 'vitest'
import { createTestDatabase } from '../test/databases.ts'
import { createLongReads } from './long-reads.ts'

const busy = { kind: 'busy', retryAfter: 2 }

async function setUp() {
  const store = await (await createTestDatabase()).open()
  const clock = { time: 0 }
  const longReads = createLongReads({ store, now: () => clock.time })
  async function* endless() {
    for (let part = 0; ; part += 1) yield part
  }
  return { clock, start: (accountId: string) => longReads.export(accountId, endless) }
}

test('one export per account and four in total can run at a time', async () => {
  const { start } = await setUp()
  const exports = ['a', 'b', 'c', 'd'].map(start)
  for (const one of exports) expect(await one.next()).toEqual({ done: false, value: 0 })
  await expect(start('a').next()).rejects.toMatchObject(busy)
  await expect(start('e').next()).rejects.toMatchObject(busy)
  await exports[0]?.return(undefined)
  await expect(start('b').next()).rejects.toMatchObject(busy)
  expect(await start('e').next()).toEqual({ done: false, value: 0 })
})

test('an export is aborted after 15 minutes, and another can start', async () => {
  const { clock, start } = await setUp()
  const slow = start('a')
  await slow.next()
  clock.time += 15 * 60_000 + 1
  await expect(slow.next()).rejects.toMatchObject(busy)
  expect(await start('a').next()).toEqual({ done: false, value: 0 })
})
