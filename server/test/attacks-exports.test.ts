import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTemporaryFiles, NoRoom } from '../platform/lib/temporary-files.ts'
import { auditOf } from './audit-entries.ts'
import { buildTestApp, type Person, type TestApp } from './build-test-app.ts'
import { buildPeopledApp } from './people.ts'
import { createTestDatabase } from './databases.ts'
import { addUsers } from './many-users.ts'
import { newFolder } from './new-folder.ts'
import { connectTo, getRequest } from './send-bytes.ts'

/** A server that listens, with a superuser and 1,200 users: 12 MB, which fill the buffers of a connection. */
async function setUp(characters = 10_000) {
  const testApp = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
  const ada = await testApp.newUser({ is_superuser: true })
  await addUsers(testApp, 1_200, (index) => ({ full_name: 'x'.repeat(characters), created_at: index }))
  await testApp.listen()
  return { ...testApp, ada }
}

/** The export of the 1,200 users. */
const many = '/users/export?role=user'

/** A client that sends a request and does not read. */
function ask({ app }: TestApp, path: string, token: string): Socket {
  const client = connectTo(app.listeningOrigin).pause()
  client.write(getRequest(`/api/v1${path}`, token))
  return client
}

async function download({ app }: TestApp, { token }: Person, path = many) {
  const response = await fetch(`${app.listeningOrigin}/api/v1${path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, text: await response.text(), headers: response.headers }
}

describe('an export', () => {
  test('that its client does not read delays neither lists nor other exports', async () => {
    const testApp = await setUp()
    const { ada, newUser } = testApp
    const eve = await newUser({ is_superuser: true, full_name: 'Notes' })
    const slow = [ask(testApp, many, ada.token), ask(testApp, many, ada.token)]
    await Promise.all(slow.map((client) => once(client, 'readable')))
    for (const path of ['/users/', '/users/?q=notes', '/users/?sort=full_name', '/users/me/overview'])
      expect((await eve.get(path)).statusCode).toBe(200)
    expect((await download(testApp, eve, '/users/export?q=notes')).text).toContain('Notes')
    expect((await download(testApp, ada)).text).toHaveLength((await download(testApp, ada)).text.length)
  })

  test('says its size, and is whole', async () => {
    const testApp = await setUp(100)
    const { text, headers } = await download(testApp, testApp.ada)
    expect(Number(headers.get('content-length'))).toBe(Buffer.byteLength(text) + 3)
    expect(text.split('\r\n')).toHaveLength(1_202)
  })

  test('is not run for its headers alone', async () => {
    const testApp = await setUp()
    const url = `${testApp.app.listeningOrigin}/api/v1/users/export`
    const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${testApp.ada.token}` } })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(await auditOf(testApp, 'users-export')).toEqual([])
  })

  test('that is aborted at any moment frees its place', async () => {
    const testApp = await setUp()
    const people = await Promise.all([1, 2, 3].map(() => testApp.newUser({ is_superuser: true })))
    for (const { token } of [testApp.ada, ...people]) {
      for (let delay = 0; delay <= 12; delay += 1) {
        const client = ask(testApp, many, token)
        await once(client, 'connect')
        await sleep(delay)
        client.destroy()
      }
    }
    for (const person of [testApp.ada, ...people]) expect((await download(testApp, person)).status).toBe(200)
    await expect.poll(testApp.context.reads.exports).toBe(0)
  })

  test('or list whose client leaves before its handler begins takes no place', async () => {
    const testApp = await buildTestApp({}, { database: await createTestDatabase({ shared: true }) })
    const { app, newUser, context } = testApp
    const left: Promise<unknown>[] = []
    app.addHook('preHandler', async ({ headers, raw }) => {
      if (headers['x-leave'] === undefined) return
      left.push(once(raw.socket, 'close'))
      clients.pop()?.destroy()
      await left.at(-1)
    })
    const ada = await newUser({ is_superuser: true })
    await testApp.listen()
    const clients: Socket[] = []
    for (const path of ['/users/', '/users/export', '/users/', '/users/', '/users/', '/users/', '/users/?q=x']) {
      const begun = left.length
      clients.push(ask(testApp, path, `${ada.token}\r\nX-Leave: yes`))
      await expect.poll(() => left.length).toBe(begun + 1)
      await left.at(-1)
    }
    for (const path of ['/users/', '/users/?q=x', '/users/export']) expect((await ada.get(path)).statusCode).toBe(200)
    expect(context.reads.exports()).toBe(0)
  })

  test('waits for a place: twelve at once by two people are whole', async () => {
    // Small, because a busy machine must not reach the longest wait.
    const testApp = await setUp(100)
    const eve = await testApp.newUser({ is_superuser: true })
    const superusers = '/users/export?role=superuser'
    const pairs = Array.from({ length: 6 }, () => [download(testApp, testApp.ada), download(testApp, eve, superusers)])
    const all = (await Promise.all(pairs.flat())).map(({ status, text }) => [status, text.split('\r\n').length])
    expect(all).toEqual(
      pairs.flatMap(() => [
        [200, 1_202],
        [200, 4],
      ]),
    )
  })

  test('ends when its account is deactivated', async () => {
    const testApp = await setUp()
    const root = await testApp.newUser({ is_superuser: true })
    const client = ask(testApp, many, testApp.ada.token)
    await once(client, 'readable')
    expect((await root.patch(`/users/${testApp.ada.id}`, { is_active: false })).statusCode).toBe(200)
    let size = 0
    client.on('data', (chunk: Buffer) => {
      size += chunk.length
      client.pause()
      setTimeout(() => client.resume(), 20)
    })
    await once(client, 'close')
    expect(size).toBeLessThan(12_000_000)
  })

  test('can be made sixty times an hour, and each is in the audit log', async () => {
    const { app, root } = await buildPeopledApp()
    const statuses: number[] = []
    for (let round = 0; round < 62; round += 1) statuses.push((await root.get('/users/export')).statusCode)
    expect(statuses).toEqual([...Array.from({ length: 60 }, () => 200), 429, 429])
    expect(await auditOf(app, 'users-export')).toHaveLength(60)
  })
})

test.each([';', '\t'])('an export has no formula for a spreadsheet that separates cells by %j', async (separator) => {
  const { app, root } = await buildPeopledApp()
  const formulas = ['=1+1', '+1', '-1', '@SUM(1)', '\uFF1D1', '"=1+1', '""=1+1', ' "=1+1', '  =1+1', '" =1+1', '\'"=1']
  const names = formulas.flatMap((formula) => [formula, `x${separator}${formula}`, `x\n${formula}`])
  await addUsers(app, names.length, (index) => ({ full_name: names[index] ?? '' }))
  const { body } = await root.get('/users/export')
  // Quotes inside of a cell do not protect it.
  const cells = body.split(new RegExp(`[${separator}\\r\\n]`)).map((cell) => cell.replace(/^[ "]+/, ''))
  expect(cells.length).toBeGreaterThan(2 * formulas.length)
  expect(cells.filter((cell) => /^[=+\-@\uFF1D]/.test(cell))).toEqual([])
})

test('an export keeps an apostrophe before a sign, and puts one before a text like a number', async () => {
  const { newUser } = await buildTestApp()
  for (const full_name of ["'=1", "'Tis", '-1.50']) await newUser({ full_name })
  const { body } = await (await newUser({ is_superuser: true })).get('/users/export')
  for (const cell of [",''=1,", ",'Tis,", ",'-1.50,"]) expect(body).toContain(cell)
})

describe('a temporary file', () => {
  const newExports = (): string => join(newFolder(), 'exports')

  test('has no name, and its folder is private', async () => {
    const folder = newExports()
    const file = await createTemporaryFiles(folder, { maxBytes: 100, reserveBytes: 0 }).open('ada')
    await file.append('äöü')
    expect(await readdir(folder)).toEqual([])
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(file.size()).toBe(6)
    expect(await file.read().toArray()).toEqual([Buffer.from('äöü')])
  })

  test('has no room beyond the limit of all files, until others are closed', async () => {
    const files = createTemporaryFiles(newExports(), { maxBytes: 16, reserveBytes: 0 })
    const [one, two] = [await files.open('ada'), await files.open('eve')]
    await one.append('12345678')
    await two.append('1234')
    await expect(two.append('5')).rejects.toThrow(NoRoom)
    await one.close()
    await expect(one.append('9')).rejects.toThrow('closed')
    await two.append('5678')
    await two.read().resume().toArray()
    const three = await files.open('ada')
    await three.append('12345678')
    await three.close()
  })

  test('leaves room for those of others, however many files an account has', async () => {
    const files = createTemporaryFiles(newExports(), { maxBytes: 1_000, reserveBytes: 0 })
    const sizes: number[] = []
    for (const account of ['ada', 'eve', 'mallory', 'trent']) {
      const own = [await files.open(account), await files.open(account)]
      for (let part = 0; part < 200; part += 1) await own[part % 2]?.append('12345').catch(() => undefined)
      sizes.push(own.reduce((sum, file) => sum + file.size(), 0))
      onTestFinished(async () => void (await Promise.all(own.map((file) => file.close()))))
    }
    expect(sizes).toEqual([500, 250, 125, 60])
  })

  test('is refused on a disk that is almost full', async () => {
    const files = createTemporaryFiles(newExports(), { maxBytes: 10, reserveBytes: Number.MAX_SAFE_INTEGER })
    await expect(files.open('ada')).rejects.toThrow(NoRoom)
  })
})
