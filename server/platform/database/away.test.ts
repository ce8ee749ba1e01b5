import { describe, expect, test } from 'vitest'
import { buildTestApp } from '../../test/build-test-app.ts'
import { createDatabaseBehindProxy, postgresUrl } from '../../test/databases.ts'
import type { TcpProxy } from '../../../tests/support/tcp-proxy.ts'

describe.runIf(postgresUrl)('PostgreSQL', () => {
  test.each<[string, (proxy: TcpProxy) => void]>([
    ['whose connections break, as when it crashes', (proxy) => proxy.cut()],
    ['that does not answer, as when it hangs', (proxy) => proxy.silence()],
  ])('%s causes 503 until it is back, and loses nothing', async (_what, fail) => {
    const { database, proxy } = await createDatabaseBehindProxy()
    const { app, newUser, tryLogIn, log } = await buildTestApp({}, { database })
    log.expectErrors()
    const ada = await newUser({ is_superuser: true })
    await newUser()
    const json = { email: 'eve@example.com', password: 'long enough' }
    fail(proxy)
    const answers = await Promise.all([
      ada.get('/users/'),
      ada.get('/users/?q=example'),
      ada.post('/users/', json),
      tryLogIn(ada.email, ada.password),
      app.inject('/readyz'),
    ])
    for (const { statusCode, headers } of answers)
      expect([statusCode, Number(headers['retry-after']) > 0]).toEqual([503, true])
    expect((await app.inject('/livez')).statusCode).toBe(200)
    proxy.heal()
    await expect.poll(async () => (await app.inject('/readyz')).statusCode).toBe(200)
    expect((await ada.post('/users/', json)).statusCode).toBe(200)
    expect((await ada.get('/users/')).json()).toMatchObject({ count: 3 })
    expect((await tryLogIn(ada.email, ada.password)).statusCode).toBe(200)
  })
})
