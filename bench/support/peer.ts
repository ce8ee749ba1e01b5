import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort, waitForPort } from '../../scripts/ports.ts'
import { totalMemory } from './seeded-server.ts'

export const PEER_VERSION = '0.39.0'
const admin = { email: 'root@example.com', password: 'the first superuser' }
const password = 'correct horse'

interface Person {
  id: string
  token: string
}

export type Peer = Awaited<ReturnType<typeof startPeer>>

/** Builds PocketBase from its Go module. @returns the path of the program, or `undefined` if Go is not installed */
export function buildPeer(): string | undefined {
  try {
    execFileSync('go', ['version'])
  } catch {
    return undefined
  }
  const folder = resolve('node_modules/.cache/steward/peer')
  mkdirSync(folder, { recursive: true })
  const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
  execFileSync('go', ['install', `github.com/pocketbase/pocketbase/examples/base@v${PEER_VERSION}`], {
    env,
    stdio: 'inherit',
  })
  return join(folder, 'base')
}

export async function startPeer(program: string, { people, items }: { people: number; items: number }) {
  const folder = mkdtempSync(join(tmpdir(), 'steward-peer-'))
  // Without `--dir`, PocketBase would write beside its program.
  const options = ['--dir', join(folder, 'data'), '--dev=false']
  execFileSync(program, ['superuser', 'upsert', admin.email, admin.password, ...options])
  const port = await freePort()
  const server = spawn(program, ['serve', `--http=127.0.0.1:${port}`, ...options], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(folder, { recursive: true })
  }
  try {
    await waitForPort(port, 10_000)
    const memoryAfterStart = totalMemory(server.pid ?? 0)
    return { url, pid: server.pid ?? 0, memoryAfterStart, ...(await fill(url, people, items)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function fill(url: string, people: number, items: number) {
  async function send<T>(path: string, body: object, token?: string): Promise<T> {
    const headers = { 'content-type': 'application/json', ...(token !== undefined && { authorization: token }) }
    const response = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  async function addPerson(index: number): Promise<Person> {
    const email = `person-${index}@example.com`
    await send('collections/users/records', { email, password, passwordConfirm: password }, root.token)
    const body = { identity: email, password }
    const { token, record } = await send<{ token: string; record: { id: string } }>(
      'collections/users/auth-with-password',
      body,
    )
    return { id: record.id, token }
  }

  const root = await send<{ token: string }>('collections/_superusers/auth-with-password', {
    identity: admin.email,
    password: admin.password,
  })
  const users = await fetch(`${url}/api/collections/users`, { headers: { authorization: root.token } })
  const isOwn = 'owner = @request.auth.id'
  await send(
    'collections',
    {
      name: 'items',
      type: 'base',
      listRule: isOwn,
      viewRule: isOwn,
      createRule: '@request.auth.id != "" && @request.body.owner = @request.auth.id',
      fields: [
        { name: 'title', type: 'text', required: true, max: 255 },
        { name: 'description', type: 'text', max: 10_000 },
        { name: 'owner', type: 'relation', collectionId: ((await users.json()) as { id: string }).id, required: true },
        { name: 'created', type: 'autodate', onCreate: true },
      ],
      indexes: ['create index items_by_owner on items (owner, created)'],
    },
    root.token,
  )
  const accounts: Person[] = []
  for (let index = 0; index < people; index += 1) accounts.push(await addPerson(index))
  const [owner] = accounts
  if (!owner) throw new Error('At least one person is needed')
  for (let index = 0; index < items; index += 1) {
    const body = { title: `Item ${index}`, description: 'In every room', owner: owner.id }
    await send('collections/items/records', body, owner.token)
  }
  return { accounts, owner, logIn: (index: number) => ({ identity: `person-${index}@example.com`, password }) }
}
