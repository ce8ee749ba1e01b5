import { randomUUID } from 'node:crypto'
import { mkdir, chmod, copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUp } from '../operation/backup.ts'
import { readConfig } from '../platform/config.ts'
import { openConfiguredStore, openSqlite, sqliteFile } from '../platform/database/open.ts'
import type { Store } from '../platform/database/store.ts'
import { buildTestApp, statusAndBody } from './build-test-app.ts'
import { listen } from './send-bytes.ts'
import { newFolder } from './new-folder.ts'

const page = '<!doctype html><script>theme()</script><div id="root"></div>'

/** A built SPA in a folder below another one named `assets`, with secret files outside. */
async function buildSpa(): Promise<string> {
  const folder = newFolder()
  const files = {
    'secret.txt': 'a secret',
    '.env': 'SECRET=1',
    'data/steward.db': 'a secret database',
    'assets/dist/index.html': page,
    'assets/dist/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/dist/assets/app-B1a2c3.js': 'console.info(1)',
    'assets/dist/assets/app-B1a2c3.js.br': 'compressed',
    'assets/dist/assets/style-D4e5.css': 'body{}',
  }
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  return join(folder, 'assets/dist')
}

describe('a private file', () => {
  const up = ['..', '%2e%2e', '.%2e', '%252e%252e', '..%00', '..;', '....', '%c0%ae%c0%ae', '%u002e%u002e']
  const slashes = ['/', '%2f', '%5c', '\\', '%252f', '//', '/./', '%c0%af', '%ef%bc%8f']
  const ways = up.flatMap((dots) =>
    slashes.flatMap((slash) => [
      `/${dots}${slash}${dots}${slash}secret.txt`,
      `/assets/${dots}${slash}${dots}${slash}${dots}${slash}secret.txt`,
      `/${dots}${slash}${dots}${slash}data${slash}steward.db`,
      `/${dots}${slash}${dots}${slash}${dots}${slash}${dots}${slash}${dots}${slash}etc${slash}passwd`,
    ]),
  )
  const outside = [
    '/etc/passwd',
    '//etc/passwd',
    '/C:/Windows/win.ini',
    '/file:///etc/passwd',
    '/data/outbox/',
    '/data/steward.db',
  ]
  const hidden = ['/.env', '/%2eenv', '/.git/config', '/.git/HEAD', '/a/.hidden/b', '/.well-known/x']
  const ofServer = [
    '/package.json',
    '/openapi.json',
    '/server/main.ts',
    '/src/main.tsx',
    '/node_modules/fastify/package.json',
  ]
  const likeAssets = ['/assets/', '/assets', '/index.html.br', '/index.html/']
  const besideScript = ['.map', '.br', '%00.html'].map((end) => `/assets/app-B1a2c3.js${end}`)
  const direct = [...outside, ...hidden, ...ofServer, ...likeAssets, ...besideScript]

  test('is not served at any URL', async () => {
    const { app } = await buildTestApp({}, { spaRoot: await buildSpa() })
    for (const url of [...ways, ...direct]) {
      const { statusCode, body } = await app.inject({ url })
      expect([url, /secret|root:|SECRET/.test(body)]).toEqual([url, false])
      // The URL of an unknown page gets index.html, in which the client shows that the page does not exist.
      const harmless = statusCode === 200 ? [page, 'compressed'] : ['{"detail":"Not Found"}']
      expect([url, statusCode === 200 || statusCode === 404, harmless.includes(body)]).toEqual([url, true, true])
    }
    for (const url of direct.filter((path) => /\/[.%]|\.(json|tsx?|db|map|ini)$/.test(path))) {
      expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404])
    }
  })

  test('is not served to hand-written requests', async () => {
    const send = await listen(await buildTestApp({}, { spaRoot: await buildSpa() }))
    for (const [target, status] of [
      ['/../../secret.txt', 404],
      ['../../secret.txt', 400],
      ['/assets/../../../secret.txt', 404],
      ['http://x/../../secret.txt', 404],
      // This target could be the path of a page.
      ['file:///etc/passwd', 200],
    ] as const) {
      const { text, statuses } = await send(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect(text).not.toMatch(/a secret|root:/)
      expect([target, statuses[0], text.includes(page)]).toEqual([target, status, status === 200])
    }
  })
})

const always = {
  'content-security-policy': expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

const responses: [string, string, string, number, string][] = [
  ['a page', 'GET', '/settings', 200, 'no-cache'],
  ['the page itself', 'GET', '/index.html', 200, 'no-cache'],
  ['a hashed file', 'GET', '/assets/app-B1a2c3.js', 200, 'public, max-age=31536000, immutable'],
  ['another file', 'GET', '/favicon.svg', 200, 'no-cache'],
  ['the change-password redirect', 'GET', '/.well-known/change-password', 302, 'no-store'],
  ['no file', 'GET', '/assets/gone.js', 404, 'no-store'],
  ['a page that takes no POST', 'POST', '/settings', 404, 'no-store'],
  ['a success', 'GET', '/api/v1/users/me', 200, 'no-store'],
  ['a mail in HTML', 'POST', '/api/v1/password-recovery-html-content/root@example.com', 200, 'no-store'],
  ['400', 'POST', '/api/v1/reset-password/', 400, 'no-store'],
  ['401', 'GET', '/api/v1/users/', 401, 'no-store'],
  ['404', 'GET', '/api/v1/nothing', 404, 'no-store'],
  ['405', 'PATCH', '/api/v1/users/', 405, 'no-store'],
  ['415', 'POST', '/api/v1/users/', 415, 'no-store'],
  ['422', 'GET', '/api/v1/users/1', 422, 'no-store'],
  ['alive', 'GET', '/livez', 200, 'no-store'],
  ['ready', 'GET', '/readyz', 200, 'no-store'],
]

test.each(responses)('%s has all security headers and a cache policy', async (what, method, url, status, cache) => {
  const { app, newUser } = await buildTestApp({}, { spaRoot: await buildSpa() })
  const { token } = await newUser({ is_superuser: true, email: 'root@example.com' })
  const headers = what === '401' ? {} : { authorization: `Bearer ${token}` }
  const json = what === '400' && { payload: { token: 'x', new_password: 'long enough' } }
  const response = await app.inject({ method: method as 'GET', url, headers, ...json })
  expect(response.statusCode).toBe(status)
  expect(response.headers).toMatchObject({ ...always, 'cache-control': cache })
  for (const name of ['strict-transport-security', 'x-powered-by', 'server'])
    expect(response.headers).not.toHaveProperty(name)
})

test('the well-known URL for changing passwords redirects to the settings, if this server has the SPA', async () => {
  const url = '/.well-known/change-password'
  const { app } = await buildTestApp({}, { spaRoot: await buildSpa() })
  expect((await app.inject({ url })).headers.location).toBe('/settings?tab=password')
  // Password managers check that an unknown well-known address is not found.
  const nothing = '/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200'
  expect((await app.inject({ url: nothing })).statusCode).toBe(404)
  const { app: alone } = await buildTestApp()
  expect((await alone.inject({ url })).statusCode).toBe(404)
})

test('the policy allows only the inline script of the page', async () => {
  const { app } = await buildTestApp({}, { spaRoot: await buildSpa() })
  const policy = String((await app.inject({ url: '/' })).headers['content-security-policy'])
  expect(policy).toMatch(/script-src 'self' 'sha256-[\w+/]{43}=';/)
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1]
  expect(scripts).not.toMatch(/unsafe|\*|https?:|data:|blob:/)
  for (const directive of ["default-src 'none'", "base-uri 'none'", "form-action 'self'", "connect-src 'self'"]) {
    expect(policy).toContain(directive)
  }
})

test('only responses that may be pages have the policy of pages, including 304', async () => {
  const { app } = await buildTestApp({}, { spaRoot: await buildSpa() })
  const policyOf = async (url: string, headers = {}) => {
    const response = await app.inject({ url, headers })
    return [response.statusCode, String(response.headers['content-security-policy']).includes('script-src')]
  }
  const { etag } = (await app.inject({ url: '/' })).headers
  expect(await policyOf('/')).toEqual([200, true])
  expect(await policyOf('/', { 'if-none-match': etag })).toEqual([304, true])
  expect(await policyOf('/assets/app-B1a2c3.js')).toEqual([200, false])
  expect(await policyOf('/api/v1/users/me')).toEqual([401, false])
})

test.each([
  ['https://steward.example.org', 'max-age=31536000'],
  ['http://steward.example.org', undefined],
])('with PUBLIC_URL %s, Strict-Transport-Security is %s', async (PUBLIC_URL, said) => {
  const { app } = await buildTestApp({ PUBLIC_URL }, { spaRoot: await buildSpa() })
  for (const url of ['/', '/assets/app-B1a2c3.js', '/api/v1/nothing', '/livez']) {
    expect((await app.inject({ url })).headers['strict-transport-security']).toBe(said)
  }
})

/** Opens the database in a folder until the end of the test. @returns its files */
async function openIn(DATA_DIR: string): Promise<string[]> {
  const store = await openConfiguredStore(readConfig({ DATA_DIR }), () => {})
  onTestFinished(() => store.close())
  return ['steward.db', 'steward.db-wal', 'steward.db-shm'].map((name) => join(DATA_DIR, name))
}

const modeOf = async (file: string) => (await stat(file)).mode & 0o777

test('a new database in a world-readable folder is readable only by its owner', async () => {
  const DATA_DIR = newFolder()
  for (const file of await openIn(DATA_DIR)) expect([file, await modeOf(file)]).toEqual([file, 0o600])
  const inside = join(DATA_DIR, 'made', 'by us')
  await openIn(inside)
  expect(await modeOf(inside)).toBe(0o700)
})

test('an existing world-readable database becomes readable only by its owner', async () => {
  const DATA_DIR = newFolder()
  for (const file of await openIn(DATA_DIR)) await chmod(file, 0o644)
  for (const file of await openIn(DATA_DIR)) expect([file, await modeOf(file)]).toEqual([file, 0o600])
})

test('a URL that looks like a file is a page for browsers and 404 for other clients', async () => {
  const { app } = await buildTestApp({}, { spaRoot: await buildSpa() })
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
  const kindOf = async (url: string, headers: Record<string, string> = {}) => {
    const { statusCode, headers: sent } = await app.inject({ url, headers })
    return [statusCode, String(sent['content-type']).split(';')[0]]
  }
  expect(await kindOf('/john.doe', { accept })).toEqual([200, 'text/html'])
  expect(await kindOf('/users/john.doe', { accept })).toEqual([200, 'text/html'])
  expect(await kindOf('/john.doe')).toEqual([404, 'application/json'])
  expect(await kindOf('/john.doe', { accept: 'image/png,*/*' })).toEqual([404, 'application/json'])
  for (const url of ['/assets/gone.js', '/assets/gone', '/api/v1/john.doe', '/.env', '/.git/config']) {
    expect([url, ...(await kindOf(url, { accept }))]).toEqual([url, 404, 'application/json'])
  }
})

describe('a database file that is moved under the running server', () => {
  async function buildInstallation() {
    const dataDir = newFolder()
    const file = sqliteFile({ dataDir })
    const told: string[] = []
    const open = () => openSqlite({ dataDir }, ({ message }) => told.push(message))
    const settings = { DATA_DIR: dataDir, BACKUP_DIR: join(dataDir, 'backups') }
    const server = await buildTestApp(settings, { database: { open } })
    server.log.expectErrors()
    const ada = await server.newUser({ is_superuser: true })
    return {
      ...server,
      file,
      told,
      change: async () => statusAndBody(await ada.patch('/users/me', { full_name: randomUUID() })),
      read: async (path: string) => (await ada.get(path)).statusCode,
      readiness: async () => statusAndBody(await server.app.inject('/readyz')),
    }
  }

  const unavailable = [503, { detail: 'Service temporarily unavailable' }]

  async function replace(file: string): Promise<void> {
    await copyFile(file, `${file}.other`)
    await rename(`${file}.other`, file)
  }

  test.each([
    ['moved away', (file: string) => rename(file, `${file}.away`)],
    ['deleted', (file: string) => rm(file)],
    ['replaced', replace],
  ])('and is %s is noticed: nothing is written, backed up or called ready', async (_how, move) => {
    const { file, told, change, read, readiness, backups } = await buildInstallation()
    expect((await change())[0]).toBe(200)
    await move(file)
    // The server looks for the file 20 times a second.
    await expect.poll(change).toEqual(unavailable)
    expect(await readiness()).toEqual([503, { detail: 'Not ready: the database file was moved, replaced or deleted' }])
    // A search would open the file at the path.
    expect([await read('/users/'), await read('/users/?q=x')]).toEqual([200, 503])
    await expect(backups?.makeIfDue()).rejects.toThrow(`${file} was moved, replaced or deleted`)
    expect(told).toEqual([expect.stringContaining(`${file} was moved, replaced or deleted`)])
  })

  test('and comes back is used again', async () => {
    const { file, change, readiness } = await buildInstallation()
    await rename(file, `${file}.away`)
    expect((await readiness())[0]).toBe(503)
    expect(await change()).toEqual(unavailable)
    await rename(`${file}.away`, file)
    expect((await readiness())[0]).toBe(200)
    expect((await change())[0]).toBe(200)
  })
})

describe('the log of a killed server', () => {
  /** Leaves the files of a killed server. Only the write-ahead log contains its account. */
  async function kill(dataDir: string): Promise<string> {
    const file = await create(dataDir)
    const store = await openSqlite({ dataDir })
    await addJob(store, 'in the log')
    const [database, log] = [await readFile(file), await readFile(`${file}-wal`)]
    await store.close()
    await writeFile(file, database)
    await writeFile(`${file}-wal`, log)
    return file
  }

  const addJob = (store: Store, id: string) => store.db.insertInto('jobs').values({ id, due_at: 0 }).execute()

  /** Makes an empty database. @returns its file */
  async function create(dataDir: string): Promise<string> {
    await (await openSqlite({ dataDir })).close()
    return sqliteFile({ dataDir })
  }

  async function copyOf(file: string): Promise<string> {
    const [elsewhere, copy] = [join(newFolder(), 'steward.db'), join(newFolder(), 'copy.db')]
    await copyFile(file, elsewhere)
    backUp(elsewhere, copy, { overwrite: false })
    return copy
  }

  const jobs = async (dataDir: string) => {
    const store = await openSqlite({ dataDir })
    const rows = await store.db.selectFrom('jobs').select('id').execute()
    await store.close()
    return rows.map(({ id }) => id)
  }

  test('is applied to its own database', async () => {
    const dataDir = newFolder()
    await kill(dataDir)
    expect(await jobs(dataDir)).toEqual(['in the log'])
  })

  test.each([
    ['another installation', () => create(newFolder())],
    ['a backup of it', copyOf],
  ])('is not applied to the database of %s, and both are kept', async (_what, other) => {
    const dataDir = newFolder()
    const file = await kill(dataDir)
    await copyFile(await other(file), file)
    const before = [await readFile(file), await readFile(`${file}-wal`)]
    await expect(jobs(dataDir)).rejects.toThrow('is another database than that of its write-ahead log')
    const copy = join(newFolder(), 'copy.db')
    expect(() => backUp(file, copy, { overwrite: false })).toThrow('is another database than that of its log')
    expect([await readFile(file), await readFile(`${file}-wal`)]).toEqual(before)
    await rm(`${file}-wal`)
    expect(await jobs(dataDir)).toEqual([])
  })

  test('a database that is missing is not replaced by an empty one', async () => {
    const dataDir = newFolder()
    await rm(await create(dataDir))
    await expect(jobs(dataDir)).rejects.toThrow('is missing')
    expect(await readdir(dataDir)).toEqual(['steward.db-lock'])
  })

  test('a database without a log may be replaced, and its log is then its own', async () => {
    const [dataDir, elsewhere] = [newFolder(), newFolder()]
    const [own, file] = [await create(dataDir), await kill(elsewhere)]
    await rm(`${file}-wal`)
    await rename(file, own)
    expect(await jobs(dataDir)).toEqual([])
    await kill(dataDir)
    expect(await jobs(dataDir)).toEqual(['in the log'])
  })
})
