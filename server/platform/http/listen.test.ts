import { createServer } from 'node:net'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { explainFailure } from '../../cli/explain-failure.ts'
import { listen, portOf } from './listen.ts'
import { buildTestApp } from '../../test/build-test-app.ts'

const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all)
const hasIPv6 = addresses.some(({ address }) => address === '::1')
const others = addresses.filter(({ internal, family }) => !internal && family === 'IPv4')

const isServed = (host: string, port: number) =>
  fetch(`http://${host}:${port}/api/v1/instance`).then(
    ({ status }) => status === 200,
    () => false,
  )

test('localhost is both loopback addresses and nothing else, until the server stops', async () => {
  const { app } = await buildTestApp()
  await listen(app, { host: 'localhost', port: 0 })
  const port = portOf(app)
  expect(await isServed('127.0.0.1', port)).toBe(true)
  expect(await isServed('[::1]', port)).toBe(hasIPv6)
  for (const { address } of others) expect(await isServed(address, port)).toBe(false)
  await app.close()
  expect(await isServed('127.0.0.1', port)).toBe(false)
  expect(await isServed('[::1]', port)).toBe(false)
})

test.runIf(hasIPv6)('a port that another program uses on ::1 is reported', async () => {
  const other = createServer().listen(0, '::1')
  await once(other, 'listening')
  const { port } = other.address() as { port: number }
  const { app } = await buildTestApp()
  const failure = await listen(app, { host: 'localhost', port }).catch((error: unknown) => error)
  other.close()
  expect(explainFailure(failure)).toContain(`Port ${port} on ::1 is in use`)
})
