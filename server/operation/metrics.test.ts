import { change } from '../sessions/change.ts'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, METHODS } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import { createRandom } from '../../tests/support/random.ts'
import { watchEvents } from '../../tests/support/watch-events.ts'
import { explainFailure } from '../cli/explain-failure.ts'
import { openSqlite } from '../platform/database/open.ts'
import { buildTestApp, createClock } from '../test/build-test-app.ts'
import type { TestDatabase } from '../test/databases.ts'
import { newFolder } from '../test/new-folder.ts'

const minute = 60_000
const wrongLogIn = 'steward_audit_entries_total{action="log-in",result="wrong-password"}'
const rightLogIn = 'steward_audit_entries_total{action="log-in",result="done"}'

async function buildWithMetrics(settings: Record<string, string> = {}, options: { database?: TestDatabase } = {}) {
  const built = await buildTestApp({ METRICS_PORT: '0', ...settings }, { clock: createClock(), ...options })
  await built.app.ready()
  const lines = built.log.lines() as { msg?: string; address?: { address: string; port: number } }[]
  const at = lines.find(({ msg }) => msg === 'metrics server listening')?.address
  const url = `http://${at?.address}:${at?.port}`
  async function scrape(): Promise<Map<string, number>> {
    const text = await (await fetch(`${url}/metrics`)).text()
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
  }
  return { ...built, url, scrape }
}

test('the metrics server serves only /metrics', async () => {
  const { app, url } = await buildWithMetrics()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  const { status, headers } = await fetch(`${url}/metrics`)
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  for (const [method, path] of [
    ['POST', '/metrics'],
    ['GET', '/'],
    ['GET', '/metrics/'],
    ['GET', '/api/v1/users/me'],
  ] as const)
    expect((await fetch(url + path, { method })).status).toBe(404)
  expect((await app.inject('/metrics')).statusCode).toBe(404)
})

test('there is no metrics server without METRICS_PORT', async () => {
  const { app, log } = await buildTestApp()
  await app.ready()
  expect(log.text()).not.toContain('metrics')
})

test('a METRICS_PORT in use prevents the start, with a one-line message', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const { app } = await buildTestApp({ METRICS_PORT: String(port) })
  const failure: unknown = await app.ready().then(
    () => undefined,
    (error: unknown) => error,
  )
  expect(explainFailure(failure)).toMatch(/^Port \d+ on 127.0.0.1 is in use. If .*, set METRICS_PORT to another port.$/)
})

test('metrics count requests, audit entries, sessions, mails and waiting queries', async () => {
  const { anonymous, newUser, logIn, clock, scrape } = await buildWithMetrics()
  const ada = await newUser({ is_superuser: true })
  await ada.patch('/users/me', { full_name: 'Ada' })
  await ada.patch('/users/me', { full_name: null })
  await ada.get(`/users/${ada.id}`)
  await logIn(ada.email, ada.password)
  await logIn(ada.email, 'not this one')
  await logIn('nobody@example.com', 'nor this')
  await anonymous.post(`/password-recovery/${ada.email}`)
  clock.advance(5 * minute)

  const samples = await scrape()
  expect(Object.fromEntries(samples)).toMatchObject({
    'steward_http_requests_total{route="/api/v1/users/me",method="PATCH",status="200"}': 2,
    'steward_http_requests_total{route="/api/v1/users/:user_id",method="GET",status="200"}': 1,
    'steward_http_requests_total{route="/api/v1/login/access-token",method="POST",status="400"}': 2,
    'steward_http_request_duration_seconds_count{route="/api/v1/users/me",method="PATCH"}': 2,
    [rightLogIn]: 1,
    [wrongLogIn]: 2,
    steward_sessions: 2,
    steward_outbox_mails: 1,
    steward_outbox_oldest_seconds: 300,
    steward_password_hashes_running: 0,
    steward_password_hashes_waiting: 0,
    steward_long_reads_running: 0,
    steward_long_reads_waiting: 0,
    steward_exports_running: 0,
    // The announcement of a commit may be running.
    steward_database_waiting: expect.any(Number),
  })
  expect(samples.get('steward_database_waits_total')).toBeGreaterThan(10)
  expect(samples.get('steward_database_wait_seconds_total')).toBeGreaterThan(0)
  expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeDefined()
  expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
  expect(samples.has('steward_backup_failures_total')).toBe(false)
})

test('the times of requests are without the stream of events, which lasts', async () => {
  const { app, newUser, scrape } = await buildWithMetrics()
  const ada = await newUser()
  const stream = await watchEvents(await app.listen({ port: 0, host: '127.0.0.1' }), ada.token)
  onTestFinished(stream.leave)
  await ada.post('/logout')
  const counted = 'steward_http_requests_total{route="/api/v1/events",method="GET",status="200"}'
  await expect.poll(async () => (await scrape()).get(counted)).toBe(1)
  expect((await scrape()).has('steward_http_request_duration_seconds_count{route="/api/v1/events",method="GET"}')).toBe(
    false,
  )
})

test('metrics count the child processes of the server', async () => {
  const { scrape } = await buildWithMetrics()
  const before = await scrape()
  const program = 'globalThis.kept = Buffer.alloc(50_000_000, 1); console.log("ready"); setInterval(() => {}, 1000)'
  const child = spawn(process.execPath, ['--eval', program])
  onTestFinished(() => void child.kill())
  await once(child.stdout, 'data')
  const after = await scrape()
  const growth = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(growth('steward_processes')).toBe(1)
  expect(growth('steward_resident_memory_bytes')).toBeGreaterThan(30_000_000)
})

test('metrics count running and waiting hashes', async () => {
  const { context, scrape } = await buildWithMetrics()
  const { promise, resolve } = Promise.withResolvers<void>()
  const hashes = Array.from({ length: 40 }, () => context.hashing.check('x', undefined, 'here', () => promise))
  const samples = await scrape()
  const [running = 0, waiting = 0] = ['running', 'waiting'].map((of) => samples.get(`steward_password_hashes_${of}`))
  expect([running > 0, waiting > 0, running + waiting]).toEqual([true, true, 40])
  resolve()
  await Promise.all(hashes)
  expect((await scrape()).get('steward_password_hashes_running')).toBe(0)
})

test('counts of failed requests begin at 0, so that alarms see the first failure', async () => {
  const { scrape } = await buildWithMetrics()
  const samples = await scrape()
  for (const status of [429, 500, 503])
    expect(samples.get(`steward_http_requests_total{route="/api/v1/users/",method="POST",status="${status}"}`)).toBe(0)
})

test('10,000 random paths and methods create few series, and no label contains client input', async () => {
  const { app, newUser, scrape } = await buildWithMetrics()
  const ada = await newUser({ email: 'ada.lovelace@example.com' })
  const random = createRandom(1)
  const paths = Object.keys(contract.paths).map((path) => `/api/v1${path}`)
  const templates = [...paths, '/assets/', '/docs/', '/', '/livez']
  const methods = METHODS.filter((method) => method !== 'CONNECT')
  let halfway = 0
  for (let count = 0; count < 10_000; count += 1) {
    const value = random.pick([ada.email, ada.token, ada.id, `secret${random.below(1e9)}`])
    const template = random.pick(templates)
    const url = template.includes('{') ? template.replaceAll(/\{\w+\}/g, value) : template + random.pick(['', value])
    const headers = { 'x-secret': value, host: `secret${random.below(1e9)}` }
    await app.inject({ method: random.pick(methods) as 'GET', url: `${url}?secret=${value}`, headers })
    if (count === 5_000) halfway = (await scrape()).size
  }
  const samples = await scrape()
  expect(samples.size).toBeLessThan(1_500)
  expect(samples.size - halfway).toBeLessThan(60)
  const requests = [...samples].filter(([name]) => name.startsWith('steward_http_requests_total'))
  expect(requests.reduce((sum, [, value]) => sum + value, 0)).toBe(10_000)
  const text = [...samples.keys()].join('\n')
  for (const sent of [ada.email, ada.token, ada.id, 'secret', 'lovelace']) expect(text).not.toContain(sent)
})

test('the database is read once for a scrape, on one connection', async () => {
  const { store, scrape } = await buildWithMetrics()
  const read = vi.spyOn(store, 'read')
  expect((await scrape()).get('steward_outbox_oldest_seconds')).toBe(0)
  expect(read).toHaveBeenCalledTimes(1)
  await scrape()
  expect(read).toHaveBeenCalledTimes(2)
})

test('an unavailable metric is omitted', async () => {
  const { store, scrape } = await buildWithMetrics()
  await store.close()
  const samples = await scrape()
  expect(samples.has('steward_sessions')).toBe(false)
  expect(samples.has('steward_outbox_mails')).toBe(false)
  expect(samples.get('steward_password_hashes_running')).toBe(0)
})

test('metrics show the last backup and failures', async () => {
  const dataDir = newFolder()
  const settings = { DATA_DIR: dataDir, BACKUP_DIR: join(dataDir, 'backups'), DATABASE_URL: '' }
  const database = { open: () => openSqlite({ dataDir }) }
  const { backups, clock, scrape } = await buildWithMetrics(settings, { database })
  const before = await scrape()
  expect(before.has('steward_backup_last_success_timestamp_seconds')).toBe(false)
  expect(before.get('steward_backup_failures_total')).toBe(0)
  await backups?.makeIfDue()
  expect((await scrape()).get('steward_backup_last_success_timestamp_seconds')).toBe(clock.now() / 1000)
})

test('the dashboard uses existing metrics', async () => {
  const dataDir = newFolder()
  const database = { open: () => openSqlite({ dataDir }) }
  const { url, backups } = await buildWithMetrics({ DATA_DIR: dataDir, BACKUP_DIR: dataDir }, { database })
  await backups?.makeIfDue()
  const text = await (await fetch(`${url}/metrics`)).text()
  const names = new Set(Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm), ([, name = '']) => name))
  const dashboard = JSON.parse(readFileSync('docs/grafana-dashboard.json', 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  const queried = dashboard.panels.flatMap(({ targets = [] }) =>
    targets.flatMap(({ expr }) => expr.match(/\b(steward|nodejs|process)_\w+/g) ?? []),
  )
  expect(queried.length).toBeGreaterThan(15)
  expect(queried.map((name) => name.replace(/_bucket$/, '')).filter((name) => !names.has(name))).toEqual([])
})

test('an audit entry that is rolled back is not counted', async () => {
  const { context } = await buildTestApp()
  const record = (fails: boolean) =>
    change(context, { ip: '192.0.2.1' }, {}, async ({ audit }) => {
      audit('sign-up')
      if (fails) throw new Error('rolled back')
    })
  await expect(record(true)).rejects.toThrow('rolled back')
  expect([...context.recorded.values()]).toEqual([])
  await record(false)
  expect([...context.recorded.values()]).toEqual([{ action: 'sign-up', result: 'done', count: 1 }])
})
