import { expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-test-app.ts'
import { inBatches } from './job.ts'

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
