import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isSqlite } from '../platform/database/dialect.ts'
import { type FileStorage, storageUnavailable } from '../platform/file-storage.ts'
import { createResourceTable, type ResourceRow } from '../resource/queries.ts'
import { createResourceRules } from '../resource/rules.ts'
import { resources, takesFiles } from '../resources.ts'
import { addResourceTable, dropResourceTable } from '../resource/table.ts'
import {
  buildTestApp,
  nobody,
  type Person,
  type RequestOptions,
  statusAndBody,
  type TestApp,
} from '../test/build-test-app.ts'
import { buildTestAppWith } from '../test/people.ts'
import { auditOf } from '../test/audit-entries.ts'
import { newFolder } from '../test/new-folder.ts'
import { listen } from '../test/send-bytes.ts'
import { tally } from '../test/two-servers.ts'
import { createFolderStorage } from './folder.ts'
import { toFileName, dispositionOf } from './names.ts'
import type { FileFacts } from './rules.ts'
import { isTooSlow } from './receive.ts'
import { typeOf } from './types.ts'

const DAY = 24 * 3_600_000
const PNG = Buffer.from('\x89PNG\r\n\x1a\nand more', 'latin1')

async function setUp(
  settings: Record<string, string> = {},
  wrap: (storage: FileStorage) => FileStorage = (same) => same,
) {
  const folder = join(newFolder(), 'files')
  const app = await buildTestApp(settings, { takesFiles: true, files: wrap(createFolderStorage(folder)) })
  const ada = await app.newUser()
  const upload = async (
    content: Buffer | string,
    { by = ada, name = 'notes.txt', ...options }: { by?: Person; name?: string } & RequestOptions = {},
  ) => by.post(`/files?name=${encodeURIComponent(name)}`, Buffer.from(content), options)
  const add = async (...args: Parameters<typeof upload>) => {
    const response = await upload(...args)
    expect(response.statusCode).toBe(200)
    return response.json<FileFacts>()
  }
  const read = async (id: string, person = ada) => person.get(`/files/${id}`)
  const stored = () => (existsSync(folder) ? readdirSync(folder) : [])
  const rows = async () => app.store.db.selectFrom('files').selectAll().execute()
  return { ...app, folder, ada, upload, add, read, stored, rows }
}

/** Sends the head of an upload and a part of its content, until the server has begun to store it. */
async function beginUpload({ app, ada, rows }: Awaited<ReturnType<typeof setUp>>, length: number, part: string) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const socket = connect(Number(new URL(app.listeningOrigin).port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  const type = 'Content-Type: application/octet-stream'
  const lines = [
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${ada.token}`,
    type,
    `Content-Length: ${length}`,
  ]
  socket.write(`${['POST /api/v1/files?name=a HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n${part}`)
  await expect.poll(async () => (await rows()).length).toBe(1)
  /** Sends the rest. @returns the answer */
  async function end(rest: string): Promise<string> {
    socket.write(rest)
    await once(socket, 'close')
    return Buffer.concat(received).toString()
  }
  return { socket, end }
}

/** A resource with a field for files. The product itself has none. It is in the list until the end of a test. */
interface Sheet extends ResourceRow {
  title: string
  scan: FileFacts | null
}

async function setUpRows(...args: Parameters<typeof setUp>) {
  const app = await setUp(...args)
  await app.store.db.transaction().execute(async (tx) => {
    const scan = { name: 'scan', type: 'file', isNullable: true } as const
    const columns = [{ name: 'title', type: 'text' } as const, scan]
    await addResourceTable(tx as never, { table: 'sheets', columns, searched: ['title'] })
  })
  const table = createResourceTable<Sheet, 'title'>({
    // The type only has tables of the product.
    table: 'sheets' as never,
    fields: { title: { isSearched: true }, scan: { form: 'file' } },
    filters: {},
  })
  ;(resources as unknown[]).push(table)
  onTestFinished(() => void (resources as unknown[]).pop())
  const sheets = createResourceRules({ table, name: 'Sheet' })
  async function actor({ id, email }: Person, isSuperuser = false) {
    const session = await app.store.db.selectFrom('sessions').select('id').where('user_id', '=', id).executeTakeFirst()
    const user = { id, email, is_superuser: isSuperuser } as never
    return { user, sessionId: session?.id ?? '', authenticatedAt: 0, ip: '127.0.0.1' }
  }
  const create = async (by: Person, values: Parameters<typeof sheets.create>[2], key?: string) =>
    sheets.create(app.context, await actor(by), values, key)
  const update = async (by: Person, id: string, changes: Parameters<typeof sheets.update>[3], isSuperuser = false) =>
    sheets.update(app.context, await actor(by, isSuperuser), id, changes, undefined)
  return { ...app, sheets, actor, create, update }
}

describe('an upload', () => {
  test('is stored with the type of its content, and given back to who uploaded it', async () => {
    const { add, read, stored, newUser } = await setUp()
    const file = await add(PNG, { name: '../../etc/photo.txt' })
    expect(file).toEqual({ id: expect.any(String), name: 'photo.txt', type: 'image/png', size: PNG.length })
    expect(stored()).toEqual([file.id])
    const response = await read(file.id)
    expect(response.statusCode).toBe(200)
    expect(response.rawPayload).toEqual(PNG)
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'content-disposition': `inline; filename="photo.txt"; filename*=UTF-8''photo.txt`,
      'content-security-policy': "default-src 'none';frame-ancestors 'none';sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    for (const other of [await newUser(), await newUser({ is_superuser: true })])
      expect(statusAndBody(await read(file.id, other))).toEqual([404, { detail: 'File not found' }])
  })

  test.each([
    '<html><script>alert(1)</script>',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    '%PDF-1.7',
  ])('is never shown by a browser where it could run scripts: %s', async (content) => {
    const { add, read } = await setUp()
    const { id } = await add(content, { name: 'image.png' })
    const { headers } = await read(id)
    expect(headers['content-type']).toBe(content.startsWith('%PDF') ? 'application/pdf' : 'application/octet-stream')
    expect(headers['content-disposition']).toMatch(/^attachment; /)
  })

  test('is taken only where a resource has files', async () => {
    const { config, ada } = await buildTestAppWith({ ada: {} }, { DATA_DIR: newFolder() })
    const { statusCode } = await ada.post('/files?name=a', PNG)
    expect(statusCode).toBe(takesFiles ? 200 : 404)
    expect(existsSync(config.files.folder)).toBe(takesFiles)
  })

  test('is refused without a length, empty, too large, or of another type of body', async () => {
    const { upload, stored, rows, ada } = await setUp({ FILES_MAX_MB: '1' })
    expect(statusAndBody(await upload(''))).toMatchObject([422, { detail: [{ msg: 'The file is empty' }] }])
    const tooLarge = [413, { detail: 'A file may have at most 1 MB' }]
    expect(statusAndBody(await upload(Buffer.alloc(1024 ** 2 + 1)))).toEqual(tooLarge)
    expect((await upload('text', { headers: { 'content-type': 'text/plain' } })).statusCode).toBe(415)
    expect((await upload(Buffer.alloc(1024 ** 2))).statusCode).toBe(200)
    // The content is longer and shorter than announced.
    for (const length of ['3', '5'])
      expect((await upload('text', { headers: { 'content-length': length } })).statusCode).toBe(499)
    expect((await ada.post('/files', PNG)).statusCode).toBe(422)
    expect([stored().length, (await rows()).length]).toEqual([1, 1])
  })

  test('counts for the quota of its account, also several at the same time', async () => {
    const { upload, newUser, rows, stored } = await setUp({ FILES_QUOTA_MB: '1' })
    const eve = await newUser()
    const parts = await Promise.all(Array.from({ length: 6 }, () => upload(Buffer.alloc(400 * 1024))))
    expect(tally(parts)).toEqual({ 200: 2, 409: 4 })
    const detail = 'Your files may take 1 MB, of which 1 MB are used. What removed files took is free after a day'
    expect(statusAndBody(await upload(Buffer.alloc(300 * 1024)))).toEqual([409, { detail }])
    expect((await upload(Buffer.alloc(400 * 1024), { by: eve })).statusCode).toBe(200)
    expect([(await rows()).length, stored().length]).toEqual([3, 3])
  })

  test('is refused when too many wait for a row', async () => {
    const { upload, ada, store, clock } = await setUp()
    const row = { owner_id: ada.id, name: 'x', size: 1, type: null, resource: null, row_id: null }
    const times = { created_at: clock.now(), expires_at: clock.now() + DAY }
    const many = Array.from({ length: 100 }, () => ({ ...row, ...times, id: randomUUID() }))
    await store.db.insertInto('files').values(many).execute()
    expect((await upload('text')).statusCode).toBe(429)
  })

  test('that ends in the middle leaves nothing', async () => {
    const app = await setUp()
    const { rows, stored } = app
    const { socket } = await beginUpload(app, 100_000, 'x'.repeat(50_000))
    await expect.poll(() => stored().length).toBe(1)
    socket.destroy()
    await expect.poll(async () => [(await rows()).length, stored().length]).toEqual([0, 0])
  })

  test('that was cut off with the server is removed after a day', async () => {
    const { clock, store, folder, rows, stored, housekeeping, add, read } = await setUp()
    const { id } = await add('half')
    await store.db.updateTable('files').set({ type: null }).where('id', '=', id).execute()
    expect((await read(id)).statusCode).toBe(404)
    await housekeeping.runAll()
    expect(stored()).toEqual([id])
    clock.advance(DAY)
    await housekeeping.runAll()
    expect([await rows(), stored(), existsSync(folder)]).toEqual([[], [], true])
  })

  test('is answered with 507 on a full disk, which keeps nothing of it, and the next one is stored', async () => {
    let isFull = true
    const { upload, rows, stored } = await setUp({}, (storage) => ({
      ...storage,
      put: (id, content, size) => storage.put(id, isFull ? untilFull(content) : content, size),
    }))
    const detail = 'There is no space left for files'
    expect(statusAndBody(await upload(Buffer.alloc(200_000)))).toEqual([507, { detail }])
    expect([await rows(), stored()]).toEqual([[], []])
    isFull = false
    expect((await upload(Buffer.alloc(200_000))).statusCode).toBe(200)
  })

  test('and a download are answered with 503 while the storage is away', async () => {
    let isAway = false
    const away = async (): Promise<never> => {
      throw storageUnavailable()
    }
    const { add, upload, read, rows } = await setUp({}, (storage) => ({
      ...storage,
      put: (...args) => (isAway ? away() : storage.put(...args)),
      get: (id) => (isAway ? away() : storage.get(id)),
    }))
    const { id } = await add('text')
    isAway = true
    for (const response of [await upload('text'), await read(id)])
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '30'])
    expect(await rows()).toHaveLength(1)
    isAway = false
    expect((await read(id)).body).toBe('text')
  })

  test('may take longer than other requests, if it keeps up', async () => {
    const app = await setUp()
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const { end } = await beginUpload(app, 4, 'te')
    vi.advanceTimersByTime(120_000)
    expect(await end('xt')).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('whose session ends meanwhile is not kept', async () => {
    const app = await setUp()
    const { ada, rows, stored } = app
    const { end } = await beginUpload(app, 4, 'te')
    await ada.post('/logout')
    expect(await end('xt')).toMatch(/^HTTP\/1\.1 401 /)
    expect([await rows(), stored()]).toEqual([[], []])
  })
})

describe('the file of a row', () => {
  test('is downloaded by who sees the row, and nobody else can attach it', async () => {
    const { context, sheets, actor, create, update, ada, add, read, newUser, newApiToken } = await setUpRows()
    const eve = await newUser()
    const root = await newUser({ is_superuser: true })
    const file = await add('text')
    const refused = { kind: 'unprocessable', field: 'scan' }
    await expect(create(eve, { title: 'Hers', scan: file })).rejects.toMatchObject(refused)
    await expect(create(ada, { title: 'A', scan: { id: nobody } })).rejects.toMatchObject(refused)
    const row = await create(ada, { title: 'A', scan: { id: file.id } })
    expect(row.scan).toEqual(file)
    await expect(create(ada, { title: 'B', scan: file })).rejects.toMatchObject(refused)
    for (const person of [ada, root]) expect((await read(file.id, person)).statusCode).toBe(200)
    expect((await read(file.id, eve)).statusCode).toBe(404)
    const token = await newApiToken(ada, 'read')
    expect((await token.get(`/files/${file.id}`)).body).toBe('text')
    expect((await token.post('/files?name=a', PNG)).statusCode).toBe(403)
    // A superuser may save the row as it is.
    expect((await update(root, row.id, { title: 'C', scan: { id: file.id } }, true)).scan).toEqual(file)
    expect((await sheets.read(context, await actor(ada), row.id)).row.scan).toEqual(file)
  })

  test('is created once with its row', async () => {
    const { create, update, ada, add } = await setUpRows()
    const { id } = await add('text')
    const again = async () => create(ada, { title: 'A', scan: { id } }, 'key')
    expect((await again()).id).toBe((await again()).id)
    await update(ada, (await again()).id, { scan: null })
    expect((await again()).scan).toBe(null)
  })

  test('is removed a day after it was replaced or taken away, or its row deleted, one or many, or with its account', async () => {
    const app = await setUpRows()
    const { context, sheets, create, update, ada, add, read, stored, rows, clock, housekeeping, newUser } = app
    const asAda = await app.actor(ada)
    const root = await newUser({ is_superuser: true })
    const make = async (by = ada) => {
      const file = await add('text', { by })
      return { file, ...(await create(by, { title: 'A', scan: file })) }
    }
    const [replaced, emptied, one, many, kept] = [await make(), await make(), await make(), await make(), await make()]
    const eve = await newUser()
    const hers = await make(eve)
    const { id: unattached } = await add('text')
    const next = await add('text')
    await update(ada, replaced.id, { scan: next })
    await update(ada, emptied.id, { scan: null })
    await sheets.delete(context, asAda, one.id, undefined)
    const { signal } = new AbortController()
    await sheets.deleteMany(context, asAda, { ids: [many.id] }, signal)
    expect((await root.delete(`/users/${eve.id}`)).statusCode).toBe(200)
    for (const { file } of [replaced, emptied, one, many, hers])
      expect((await read(file.id, root)).statusCode).toBe(404)
    await housekeeping.runAll()
    expect(stored()).toHaveLength(8)
    clock.advance(DAY)
    await housekeeping.runAll()
    // The first run deletes the rows of deleted accounts, the second their files.
    clock.advance(DAY)
    await housekeeping.runAll()
    expect(stored().toSorted()).toEqual([next.id, kept.file.id].toSorted())
    expect((await rows()).map(({ id }) => id)).not.toContain(unattached)
  })

  test('stays counted until its content is deleted, which is tried again while the storage is away', async () => {
    let isAway = false
    const { add, stored, rows, clock, housekeeping } = await setUp({}, (storage) => ({
      ...storage,
      delete: async (id) => {
        if (isAway) throw storageUnavailable()
        return storage.delete(id)
      },
    }))
    await add('text')
    clock.advance(DAY)
    isAway = true
    await expect(housekeeping.runAll()).rejects.toMatchObject({ kind: 'busy' })
    expect([(await rows()).length, stored().length]).toEqual([1, 1])
    isAway = false
    await housekeeping.runAll()
    expect([await rows(), stored()]).toEqual([[], []])
  })

  test('that cannot be deleted does not prevent the deletion of others', async () => {
    let held = ''
    const { add, stored, rows, clock, housekeeping } = await setUp({}, (storage) => ({
      ...storage,
      delete: async (id) => {
        if (id === held) throw storageUnavailable()
        return storage.delete(id)
      },
    }))
    held = [(await add('one')).id, (await add('two')).id, (await add('three')).id].toSorted()[0] ?? ''
    clock.advance(DAY)
    await expect(housekeeping.runAll()).rejects.toMatchObject({ kind: 'busy' })
    expect([(await rows()).map(({ id }) => id), stored()]).toEqual([[held], [held]])
  })

  test('has its name in exports and in the audit log', async () => {
    const { create, update, ada, add, store } = await setUpRows()
    const { id } = await create(ada, { title: 'A' })
    await update(ada, id, { scan: await add('text', { name: 'b.txt' }) })
    expect(await auditOf({ store }, 'sheet-change')).toMatchObject([{ details: { scan: { from: null, to: 'b.txt' } } }])
  })

  test('is lost with the table of its resource', async () => {
    const { create, ada, add, rows, store } = await setUpRows()
    await create(ada, { title: 'A', scan: await add('text') })
    await store.db.transaction().execute((tx) => dropResourceTable(tx as never, 'sheets'))
    expect((await rows()).map(({ expires_at }) => expires_at)).toEqual([0])
    expect(isSqlite(store.db)).toBeTypeOf('boolean')
  })

  test('whose content is lost is answered with 410', async () => {
    const { add, read, folder } = await setUp()
    const { id } = await add('text')
    rmSync(join(folder, id))
    expect((await read(id)).statusCode).toBe(410)
  })

  // If a response has more or less content than it announces, the client takes the next response for content, or the reverse.
  test.each([
    ['shorter', PNG.subarray(0, 9), [200]],
    ['none', '', [410, 404]],
    ['longer', Buffer.concat([PNG, Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n')]), [410, 404]],
  ])(
    'whose content is %s by a fault of the disk is no response, or ends its connection',
    async (_how, content, statuses) => {
      const { add, read, folder, ada, app } = await setUp()
      const { id } = await add(PNG)
      writeFileSync(join(folder, id), content)
      const send = await listen({ app } as TestApp)
      const request = `GET /api/v1/files/${id} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`
      expect((await send(request)).statuses).toEqual(statuses)
      writeFileSync(join(folder, id), PNG)
      expect((await read(id)).rawPayload).toEqual(PNG)
    },
  )
})

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\fakepath\\photo.jpg', 'photo.jpg'],
  ['a\0b\u0007.txt', 'ab.txt'],
  ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
  ['..', 'file'],
  ['.htaccess', 'htaccess'],
  [' Ünï cödé .pdf. ', 'Ünï cödé .pdf'],
  [`${'a'.repeat(300)}.pdf`, `${'a'.repeat(251)}.pdf`],
])('the name %j is kept as %j', (given, kept) => {
  expect(toFileName(given)).toBe(kept)
})

test('the header of a name is safe, and says it in full', () => {
  expect(dispositionOf(`a"b\\c; é'(1)*.txt`, false)).toBe(
    `attachment; filename="a_b_c; e_'(1)*.txt"; filename*=UTF-8''a%22b%5Cc%3B%20%C3%A9%27%281%29%2A.txt`,
  )
})

test.each([
  ['\xff\xd8\xff\xe0', 'image/jpeg'],
  ['GIF89a', 'image/gif'],
  ['RIFFxxxxWEBPVP8 ', 'image/webp'],
  ['PK\x03\x04', 'application/zip'],
  ['MZ', 'application/octet-stream'],
  ['', 'application/octet-stream'],
])('the content %j is of type %s', (content, type) => {
  expect(typeOf(Buffer.from(content, 'latin1'))).toBe(type)
})

test('a sender has half a minute, and then must keep up', () => {
  expect([isTooSlow(29_000, 0), isTooSlow(31_000, 0), isTooSlow(60_000, 250_000)]).toEqual([false, true, false])
})

async function* untilFull(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    yield chunk.subarray(0, 1)
    await sleep(0)
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  }
}
