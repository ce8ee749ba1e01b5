import { once } from 'node:events'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../platform/config.ts'
import { buildTestAppWith } from '../test/people.ts'
import { startFakeS3 } from '../test/fake-s3.ts'
import { createBucketStorage } from './bucket.ts'

const KEY = { keyId: 'KEYOFTHETEST', secret: 'secret/of+the=test' }

const bucketKeys = { accessKeyId: KEY.keyId, secretAccessKey: KEY.secret, region: 'eu-central-1' }

async function setUp(given: { secret?: string } = {}) {
  const s3 = await startFakeS3(KEY)
  const env = {
    FILES_URL: `s3://steward-files/some/folder?endpoint=${s3.endpoint}&region=eu-central-1`,
    FILES_ACCESS_KEY_ID: KEY.keyId,
    FILES_SECRET_ACCESS_KEY: given.secret ?? KEY.secret,
  }
  const { app, ada } = await buildTestAppWith({ ada: {} }, env, { takesFiles: true })
  const upload = async (content: Buffer) => ada.post('/files?name=a.txt', content)
  const read = async (id: string) => ada.get(`/files/${id}`)
  const rows = async () => app.store.db.selectFrom('files').selectAll().execute()
  return { ...app, s3, upload, read, rows }
}

test('a bucket stores, gives back and deletes contents, each by a signed request', async () => {
  const { s3, upload, read, rows, clock, housekeeping } = await setUp()
  const content = Buffer.alloc(300_000, 'some text ')
  const { id } = (await upload(content)).json<{ id: string }>()
  expect([...s3.objects]).toEqual([[`/steward-files/some/folder/${id}`, content]])
  expect((await read(id)).rawPayload).toEqual(content)
  clock.advance(24 * 3_600_000)
  await housekeeping.runAll()
  expect([s3.objects.size, await rows()]).toEqual([0, []])
  expect(s3.requests.map((request) => request.split(' ')[0])).toEqual(['PUT', 'GET', 'DELETE'])
})

test('a bucket that is away, full of errors or refuses the key is answered with 503, and its key is in no log', async () => {
  const { s3, upload, read, rows, log } = await setUp()
  const { id } = (await upload(Buffer.from('text'))).json<{ id: string }>()
  s3.fail(500)
  expect([(await upload(Buffer.from('text'))).statusCode, (await read(id)).statusCode]).toEqual([503, 503])
  s3.fail()
  expect((await read(id)).body).toBe('text')
  s3.stop()
  expect([(await upload(Buffer.from('text'))).statusCode, (await read(id)).statusCode]).toEqual([503, 503])
  // The rows remain, because the contents may have been stored.
  expect(await rows()).toHaveLength(3)
  expect(log.text()).toContain('s3://steward-files/some/folder: PUT was answered with 500 InternalError')
  expect(log.text()).toContain('s3://steward-files/some/folder: PUT failed: ECONNREFUSED')

  const wrong = await setUp({ secret: 'another' })
  expect((await wrong.upload(Buffer.from('text'))).statusCode).toBe(503)
  expect(wrong.log.text()).toContain('PUT was answered with 403 SignatureDoesNotMatch')
  for (const text of [log.text(), wrong.log.text()])
    for (const key of [...Object.values(KEY), 'AWS4-HMAC']) expect(text).not.toContain(key)
})

test('a content that its bucket does not have is answered with 410', async () => {
  const { s3, upload, read } = await setUp()
  const { id } = (await upload(Buffer.from('text'))).json<{ id: string }>()
  s3.objects.clear()
  expect((await read(id)).statusCode).toBe(410)
})

test('a bucket that goes away while it sends a content is answered with 503, or the download ends', async () => {
  const { s3, upload, read } = await setUp()
  const { id } = (await upload(Buffer.alloc(300_000, 'text'))).json<{ id: string }>()
  s3.breakOffAfter(0)
  const { statusCode, headers, body } = await read(id)
  expect([statusCode, headers['content-type']]).toEqual([503, 'application/json; charset=utf-8'])
  expect(JSON.parse(body)).toEqual({ detail: 'Files are not available at the moment, please try again' })
  s3.breakOffAfter(100_000)
  await expect(read(id)).rejects.toThrow('response destroyed before completion')
})

test('a bucket that is missing is answered with 503, and forgets no file', async () => {
  const { s3, upload, read, rows, clock, housekeeping, log } = await setUp()
  const { id } = (await upload(Buffer.from('text'))).json<{ id: string }>()
  s3.fail(404, 'NoSuchBucket')
  expect([(await upload(Buffer.from('text'))).statusCode, (await read(id)).statusCode]).toEqual([503, 503])
  expect(log.text()).toContain('GET was answered with 404 NoSuchBucket')
  clock.advance(24 * 3_600_000)
  await expect(housekeeping.runAll()).rejects.toThrow('Files are not available')
  expect([s3.objects.size, (await rows()).length]).toEqual([1, 2])
  s3.fail()
  await housekeeping.runAll()
  expect([s3.objects.size, await rows()]).toEqual([0, []])
})

test.each([1, 1_000_000])('an upload of ten parts of %i bytes ends if the storage does nothing', async (size) => {
  const s3 = await startFakeS3(KEY)
  s3.hang()
  const warnings: string[] = []
  const settings = { ...bucketKeys, place: 's3://some', address: `${s3.endpoint}/some/` }
  const storage = createBucketStorage(settings, (message) => warnings.push(message), 200)
  const content = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(size)))
  await expect(storage.put('id', content, 10 * size)).rejects.toThrow('Files are not available')
  expect(warnings).toEqual(['s3://some: PUT failed: nothing happened for 0.2 s'])
})

test('a storage that breaks off while it gets a chunk is answered with 503, although the body ends first', async () => {
  vi.stubGlobal('fetch', async (_url: string, { body, signal }: { body: ReadableStream; signal: AbortSignal }) => {
    const reader = body.getReader()
    await reader.read()
    if (!signal.aborted) await once(signal, 'abort')
    await reader.cancel(signal.reason)
    throw signal.reason
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const storage = createBucketStorage(
    { ...bucketKeys, place: 's3://some', address: 'http://127.0.0.1/some/' },
    () => {},
    10,
  )
  const content = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(1_000_000)))
  await expect(storage.put('id', content, 10_000_000)).rejects.toThrow('Files are not available')
})

test('an upload that ends in the middle leaves nothing in the bucket, also if that stores half of it later', async () => {
  const { s3, rows, newUser, clock, housekeeping } = await setUp()
  const ada = await newUser()
  const headers = { 'content-length': '100' }
  expect((await ada.post('/files?name=a', Buffer.from('text'), { headers })).statusCode).toBe(499)
  expect(s3.objects.size).toBe(0)
  const [{ id } = { id: '' }] = await rows()
  s3.objects.set(`/steward-files/some/folder/${id}`, Buffer.from('text'))
  clock.advance(10 * 60_000)
  await housekeeping.runAll()
  expect([s3.objects.size, await rows()]).toEqual([0, []])
})

test.each([
  ['s3://a-bucket', 'https://a-bucket.s3.us-east-1.amazonaws.com/'],
  ['s3://a-bucket/a/b/?region=eu-west-1', 'https://a-bucket.s3.eu-west-1.amazonaws.com/a/b/'],
  ['s3://a-bucket/a?endpoint=https://minio:9000', 'https://minio:9000/a-bucket/a/'],
])('%s is the address %s', (url, address) => {
  const keys = { FILES_ACCESS_KEY_ID: 'id', FILES_SECRET_ACCESS_KEY: 'secret' }
  expect(readConfig({ FILES_URL: url, ...keys }).files.bucket).toMatchObject({ address, accessKeyId: 'id' })
})

test.each([
  [{ FILES_URL: 'https://a-bucket' }, 'FILES_URL: must be like s3://'],
  [{ FILES_URL: 's3://id:secret@a-bucket' }, 'FILES_URL: must be like s3://'],
  [{ FILES_URL: 's3://a-bucket?endpoint=ftp://x' }, 'FILES_URL: must be like s3://'],
  [{ FILES_URL: 's3://a-bucket' }, 'FILES_SECRET_ACCESS_KEY: is needed for FILES_URL'],
  [{ FILES_ACCESS_KEY_ID: 'id' }, 'FILES_ACCESS_KEY_ID: needs FILES_URL'],
])('the settings %j are refused', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(message)
})
