import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-test-app.ts'
import { inBatches, runIfDue } from './job.ts'

test('a job ends after the batch in which the server begins to stop', async () => {
  const { context } = await buildTestApp()
  const stopping = new AbortController()
  let batches = 0
  await inBatches(context, stopping.signal, async () => {
    batches += 1
    if (batches === 2) stopping.abort()
    return true
  })
  expect(batches).toBe(2)
})

test('a job runs once in its period, however long that is', async () => {
  const { context, clock } = await buildTestApp()
  const { signal } = new AbortController()
  let runs = 0
  const run = async () => void (runs += 1)
  const day = 86_400_000
  for (let passed = 0; passed < 8; passed += 1) {
    await runIfDue(context, { name: 'weekly', everyMs: 7 * day, run }, signal)
    clock.advance(day)
  }
  expect(runs).toBe(2)
})
