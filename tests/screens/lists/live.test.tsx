import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { UserPublic } from '@/client/types.gen'
import { links } from '@/lib/resources'
import { waits } from '@/data/live/live'
import { type Backend, makeUser, manyUsers } from '../../support/backend'
import { createStream, hintOf } from '../../support/event-stream'
import { holdRequests, network, requestsTo } from '../../support/network'
import { endSessionElsewhere, renderApp, roundTrip } from '../../support/render-app'
import { type AnyRow, versionOf } from '../../support/resource-handlers'
import { anyResource, makeRow } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const api = `${window.location.origin}/api/v1`

beforeEach(() => {
  const ofProduct = { ...waits }
  onTestFinished(() => void Object.assign(waits, ofProduct))
  Object.assign(waits, { step: 100, collect: 50 })
})

/** Renders a list with an open event stream, and records the requests after the first reads. */
async function renderList(rows: Partial<Backend>, url = '/users') {
  const stream = createStream()
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      Object.assign(backend, rows)
      network.use(stream.handler)
    },
  })
  await waitFor(() => expect(stream.opened()).toBe(1))
  await screen.findByRole('table')
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
  const requests: string[] = []
  const onRequest = ({ request }: { request: Request }) => {
    requests.push(`${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`)
  }
  network.events.on('request:start', onRequest)
  onTestFinished(() => network.events.removeListener('request:start', onRequest))
  return { ...app, stream, requests }
}

const names = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('[data-title]')?.textContent)

describe('a shown list', () => {
  test('updates a row that was changed elsewhere where it stands, with one request', async () => {
    const users = [makeUser({ full_name: 'First' }), makeUser({ full_name: 'Second' })]
    const { backend, stream, requests } = await renderList({ users })
    const [first, second] = users as [UserPublic, UserPublic]
    backend.users = [{ ...second, full_name: 'Changed' }, first]
    await stream.hint(second.id, 'v2')
    await waitFor(() => expect(names()).toEqual(['First', 'Changed']))
    expect(requests).toEqual(['GET /users/'])
  })

  test('counts new rows, and shows them when asked', async () => {
    const users = [makeUser({ full_name: 'Old' })]
    const { backend, stream, actor, requests } = await renderList({ users })
    const added = [makeUser({ full_name: 'New' }), makeUser({ full_name: 'Newer' })]
    backend.users = [...added, ...users]
    await stream.send(added.map(({ id }) => hintOf(id, 'v1', 'users')).join(''))
    expect(await screen.findByText('· 2 new users')).toBeVisible()
    expect(names()).toEqual(['Old'])
    await actor.click(screen.getByRole('button', { name: 'Show' }))
    await waitFor(() => expect(names()).toEqual(['New', 'Newer', 'Old']))
    expect(screen.queryByText(/new users/)).not.toBeInTheDocument()
    expect(requests).toEqual(['GET /users/'])
  })

  test('that is being read is read again afterwards, as the answer may be older than the change', async () => {
    const users = [makeUser({ full_name: 'Old' })]
    const { backend, stream, queryClient } = await renderList({ users })
    const old = { data: [...backend.users], count: 1 }
    const answer = Promise.withResolvers<void>()
    const slow = http.get(`${api}/users/`, () => answer.promise.then(() => HttpResponse.json(old)), { once: true })
    network.use(slow)
    void queryClient.invalidateQueries({ queryKey: [{ tags: ['users'] }] })
    backend.users = users.map((user) => ({ ...user, full_name: 'Changed' }))
    await stream.hint(users[0]?.id ?? '', 'v2')
    await new Promise((resolve) => setTimeout(resolve, 300))
    answer.resolve()
    await waitFor(() => expect(names()).toEqual(['Changed']))
  })

  test('dims deleted rows', async () => {
    const users = [makeUser({ full_name: 'Stays' }), makeUser({ full_name: 'Goes' })]
    const { backend, stream } = await renderList({ users })
    const [stays, goes] = users as [UserPublic, UserPublic]
    backend.users = [stays]
    await stream.hint(goes.id, null)
    const row = screen.getByText('Goes').closest('tr')
    await waitFor(() => expect(row).toHaveClass('opacity-50'))
    expect(names()).toEqual(['Stays', 'Goes'])
  })

  test('dims a changed row that left the page, without looking for it, until the next read', async () => {
    const { backend, stream, requests, queryClient } = await renderList({ users: manyUsers(51) })
    const [moved, stays] = backend.users as [UserPublic, UserPublic]
    backend.users = [...backend.users.slice(1), { ...moved, full_name: 'Moved' }]
    await stream.hint(moved.id, 'v2')
    const row = screen.getByText(moved.email).closest('tr')
    await waitFor(() => expect(row).toHaveClass('opacity-50'))
    expect(names().slice(0, 2)).toEqual([moved.full_name, stays.full_name])
    expect(screen.queryByText(/new user/)).not.toBeInTheDocument()
    // The next page may be prefetched.
    expect(requests.filter((request) => request !== 'GET /users/')).toEqual([])
    await act(() => queryClient.refetchQueries({ queryKey: [{ tags: ['users'] }], type: 'active' }))
    await waitFor(() => expect(names()[0]).toBe(stays.full_name))
    expect(row).not.toBeInTheDocument()
  })

  test('does not dim a row that only made room for a new one', async () => {
    const { backend, stream } = await renderList({ users: manyUsers(50) })
    const last = backend.users[49] as UserPublic
    const added = makeUser({ full_name: 'New' })
    backend.users = [added, ...backend.users]
    await stream.hint(added.id, 'v1')
    expect(await screen.findByText('· 1 new user')).toBeVisible()
    expect(screen.getByText(last.email).closest('tr')).not.toHaveClass('opacity-50')
  })

  test('shows a row as before that is on the page again', async () => {
    const users = [makeUser({ full_name: 'Note one' }), makeUser({ full_name: 'Note two' })]
    const { backend, stream } = await renderList({ users }, '/users?q=note')
    const [one, two] = users as [UserPublic, UserPublic]
    backend.users = [one, { ...two, full_name: 'Other' }]
    await stream.hint(two.id, 'v2')
    await waitFor(() => expect(screen.getByText('Note two').closest('tr')).toHaveClass('opacity-50'))
    backend.users = [one, { ...two, full_name: 'Note 2' }]
    await stream.hint(two.id, 'v3')
    await waitFor(() => expect(screen.getByText('Note 2').closest('tr')).not.toHaveClass('opacity-50'))
  })

  test('counts a new row also when another one matches no more', async () => {
    const users = [makeUser({ full_name: 'Note one' }), makeUser({ full_name: 'Note two' })]
    const { backend, stream } = await renderList({ users }, '/users?q=note')
    const [one, two] = users as [UserPublic, UserPublic]
    const added = makeUser({ full_name: 'Note three' })
    backend.users = [added, one, { ...two, full_name: 'Other' }]
    await stream.hint(two.id, 'v2')
    await stream.hint(added.id, 'v1')
    expect(await screen.findByText('· 1 new user')).toBeVisible()
    expect(names()).toEqual(['Note one', 'Note two'])
    expect(screen.getByText('Note two').closest('tr')).toHaveClass('opacity-50')
  })

  test('dims many changed rows that left it, with one request', async () => {
    const users = Array.from({ length: 12 }, (_, index) => makeUser({ full_name: `Note ${index}` }))
    const { backend, stream, requests } = await renderList({ users }, '/users?q=note')
    const [stays, ...leave] = users as [UserPublic, ...UserPublic[]]
    backend.users = [stays, ...leave.map((user) => ({ ...user, full_name: 'Other' }))]
    const data = leave.map(({ id }) => JSON.stringify({ resource: 'users', id, version: 'v2' }))
    await stream.send(data.map((each) => `event: change\ndata: ${each}\n\n`).join(''))
    const dimmed = () => screen.getAllByRole('row').filter((row) => row.classList.contains('opacity-50')).length
    await waitFor(() => expect(dimmed()).toBe(11))
    await roundTrip()
    expect(requests.filter((request) => request !== 'GET /instance')).toEqual(['GET /users/'])
  })

  test.each(anyResource)(
    'of $table is not read for a hint of a row that it has, as its version says',
    async (sample) => {
      const { table, searched } = sample
      const [known, old] = ['Known', 'Old'].map((name) => makeRow(table, { [searched[0]]: name })) as [AnyRow, AnyRow]
      const { backend, stream, requests } = await renderList({ rows: { [table]: [known, old] } }, `/${table}`)
      await stream.hint(known.id, versionOf(known), table)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(requests).toEqual([])
      backend.rows[table] = [known, { ...old, [searched[0]]: 'Changed' }]
      await stream.hint(old.id, 'v2', table)
      await waitFor(() => expect(names()).toEqual(['Known', 'Changed']))
      expect(requests).toEqual([`GET /${table}/`])
    },
  )
})

test('a hint of an account whose version is the same is read: it may have confirmed its address', async () => {
  const { stream, requests, backend } = await renderList({ users: [makeUser()] })
  await stream.hint(backend.user?.id ?? '', versionOf(backend.user ?? {}), 'users')
  await waitFor(() => expect(requests).toContain('GET /users/me'))
})

/** Moves the clock forward. @returns a function that moves it further */
function advanceClock(ms: number): (ms: number) => void {
  let passed = ms
  const { now } = Date
  vi.spyOn(Date, 'now').mockImplementation(() => now() + passed)
  return (more) => void (passed += more)
}

describe('after a gap', () => {
  async function renderOld() {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    const users = [makeUser({ full_name: 'Old' }), makeUser({ full_name: 'Gone' })]
    const app = await renderList({ users })
    const changed = app.backend.users.slice(0, 1).map((user) => ({ ...user, full_name: 'Changed meanwhile' }))
    app.backend.users = [makeUser({ full_name: 'New' }), ...changed]
    const reads = () => app.requests.filter((request) => request === 'GET /users/').length
    return { ...app, changed, reads }
  }

  test('of more than 10 seconds, what is shown is read once', async () => {
    const { stream, requests, reads } = await renderOld()
    advanceClock(10_001)
    await stream.end()
    await waitFor(() => expect(names()).toEqual(['Changed meanwhile', 'Gone']))
    expect(await screen.findByText('· 1 new user')).toBeVisible()
    expect(screen.getByText('Gone').closest('tr')).toHaveClass('opacity-50')
    expect(reads()).toBe(1)
    expect(requests.filter((request) => request === 'GET /users/me')).toHaveLength(1)
    expect(stream.opened()).toBe(2)
  })

  test('of less, nothing is read if the new stream tells of nothing', async () => {
    const { stream, reads } = await renderOld()
    advanceClock(9_000)
    await stream.end()
    await waitFor(() => expect(stream.opened()).toBe(2))
    await roundTrip()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(reads()).toBe(0)
  })

  test('of less, what the new stream tells of is read', async () => {
    const { stream, reads, changed } = await renderOld()
    advanceClock(9_000)
    stream.sendFirst(hintOf(changed[0]?.id ?? '', 'v2', 'users'))
    await stream.end()
    await waitFor(() => expect(names()).toEqual(['Changed meanwhile', 'Gone']))
    expect(reads()).toBe(1)
  })

  test('the stream must have been heard: a silence counts, too', async () => {
    const { stream, reads } = await renderOld()
    const passMore = advanceClock(9_000)
    await stream.send(':\n\n')
    passMore(9_000)
    await stream.end()
    await waitFor(() => expect(stream.opened()).toBe(2))
    await roundTrip()
    expect(reads()).toBe(0)
    passMore(11_000)
    await stream.end()
    await waitFor(() => expect(reads()).toBe(1))
  })
})

test('a hidden tab only marks what it has, also after a gap, and reads it again when it is shown', async () => {
  const { queryClient, requests } = await renderList({ users: [makeUser()] })
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const other = new BroadcastChannel('steward_live')
  onTestFinished(() => other.close())
  advanceClock(60_000)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  other.postMessage({ kind: 'begun' })
  const marked = () => queryClient.getQueryCache().findAll({ predicate: (query) => query.state.isInvalidated })
  await waitFor(() => expect(marked().length).toBeGreaterThan(1))
  await roundTrip()
  expect(requests.filter((request) => request !== 'GET /instance')).toEqual([])
  isHidden.mockReturnValue(false)
  state.mockReturnValue('visible')
  act(() => void window.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(requests.filter((request) => request === 'GET /users/')).toHaveLength(1))
})

describe('the first stream of a page', () => {
  /** Renders a list with a row `Old`. @param hints in the first message of the stream, which `begin` opens */
  async function renderBefore(rows: Partial<Backend>, url: string, hints: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stream = createStream(promise)
    const app = await renderApp({
      url,
      user: root,
      prepare: (backend) => {
        Object.assign(backend, rows)
        network.use(stream.handler)
      },
    })
    await screen.findByText('Old')
    stream.sendFirst(hints)
    const begin = async () => {
      resolve()
      await waitFor(() => expect(stream.opened()).toBe(1))
      await roundTrip()
    }
    return { ...app, begin }
  }

  test.each(anyResource)('reads no $table if nothing has changed since the page was read', async (sample) => {
    const { table, searched } = sample
    const row = makeRow(table, { [searched[0]]: 'Old' })
    const { begin } = await renderBefore(
      { rows: { [table]: [row] } },
      `/${table}`,
      hintOf(row.id, versionOf(row), table),
    )
    await begin()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(requestsTo(`GET /${table}/`)).toHaveLength(1)
    expect(requestsTo('GET /users/me')).toHaveLength(1)
  })

  test('shows what has changed since, with one request for the list', async () => {
    const user = makeUser({ full_name: 'Old' })
    const { backend, begin } = await renderBefore({ users: [user] }, '/users', hintOf(user.id, 'v2', 'users'))
    backend.users = [makeUser({ full_name: 'New' }), { ...user, full_name: 'Changed' }]
    await begin()
    expect(await screen.findByText('· 1 new user')).toBeVisible()
    await waitFor(() => expect(names()).toEqual(['Changed']))
    expect(requestsTo('GET /users/')).toHaveLength(2)
  })
})

describe('a tab that is opened while another has the stream', () => {
  function openChannelOfOtherTab() {
    const channel = new BroadcastChannel('steward_live')
    onTestFinished(() => channel.close())
    const received: { kind: string; changes?: object[] }[] = []
    channel.addEventListener('message', ({ data }: MessageEvent<(typeof received)[number]>) => received.push(data))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
    return { received, send: (message: object) => channel.postMessage(message) }
  }

  test.each(anyResource)('asks which $table have changed while it loaded, and reads them', async ({ table }) => {
    const other = openChannelOfOtherTab()
    const row = makeRow(table)
    await renderApp({ url: `/${table}`, user: root, prepare: (backend) => (backend.rows[table] = [row]) })
    await waitFor(() => expect(other.received).toContainEqual({ kind: 'joined' }))
    await screen.findByRole('table')
    other.send({ kind: 'changes', changes: [{ resource: table, id: row.id, version: versionOf(row) }] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(requestsTo(`GET /${table}/`)).toHaveLength(1)
    other.send({ kind: 'changes', changes: [{ resource: table, id: row.id, version: 'v2' }] })
    await waitFor(() => expect(requestsTo(`GET /${table}/`)).toHaveLength(2))
  })

  test('learns it from the tab with the stream', async () => {
    const users = [makeUser()]
    const { stream } = await renderList({ users })
    const other = openChannelOfOtherTab()
    const id = users[0]?.id ?? ''
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received).toEqual([{ kind: 'changes', changes: [] }]))
    await stream.hint(id, 'v2')
    await waitFor(() => expect(other.received).toHaveLength(2))
    const passMore = advanceClock(9_000)
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received).toHaveLength(3))
    expect(other.received[2]).toEqual({ kind: 'changes', changes: [{ resource: 'users', id, version: 'v2' }] })
    passMore(2_000)
    await stream.send(':\n\n')
    await waitFor(() => expect(other.received).toHaveLength(4))
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received[4]).toEqual({ kind: 'changes', changes: [] }))
  })
})

test('a tab that was opened while another had the stream reads again after the first gap that it sees', async () => {
  await renderApp({ url: '/users', user: root, prepare: ({ users }) => void users.push(makeUser()) })
  const before = requestsTo('GET /users/').length
  advanceClock(60_000)
  const other = new BroadcastChannel('steward_live')
  onTestFinished(() => other.close())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  other.postMessage({ kind: 'begun' })
  await waitFor(() => expect(requestsTo('GET /users/').length).toBeGreaterThan(before))
})

test('a stream that ends at once is asked for less and less often', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  let asked = 0
  const ended = http.get(`${api}/events`, () => {
    asked += 1
    return new HttpResponse('event: hello\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } })
  })
  await renderApp({ url: '/users', user: root, prepare: () => network.use(ended) })
  await waitFor(() => expect(asked).toBe(2))
  await new Promise((resolve) => setTimeout(resolve, 250))
  // Retries come after 100 ms and 300 ms.
  expect(asked).toBeLessThanOrEqual(4)
})

describe('what was prefetched', () => {
  /** Renders the first of three pages, waits until the second is prefetched, and moves the clock a minute forward. */
  async function renderPages(hasStream: boolean) {
    const users = manyUsers(120)
    const stream = createStream()
    const app = await renderApp({
      url: '/users',
      user: root,
      prepare: (backend) => {
        backend.users = users
        if (hasStream) network.use(stream.handler)
      },
    })
    const secondPage = () => requestsTo('GET /users/').filter(({ query }) => query === '?skip=50&limit=50').length
    await waitFor(() => expect(secondPage()).toBe(1))
    await waitFor(() => expect(stream.opened()).toBe(hasStream ? 1 : 0))
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000)
    if (hasStream) await stream.send(':\n\n')
    const openSecond = async () => {
      await app.actor.click(screen.getByRole('link', { name: 'Page 2' }))
      await waitFor(() => expect(names()[0]).toBe(users[50]?.full_name))
      await roundTrip()
    }
    return { ...app, stream, users, secondPage, openSecond }
  }

  test('is not read again when it is opened', async () => {
    const { openSecond, secondPage } = await renderPages(true)
    await openSecond()
    expect(secondPage()).toBe(1)
  })

  test('is read again after a hint', async () => {
    const { openSecond, secondPage, stream, users } = await renderPages(true)
    await stream.hint(users[60]?.id ?? '', 'v2')
    await waitFor(() => expect(requestsTo('GET /users/').length).toBeGreaterThan(2))
    await openSecond()
    expect(secondPage()).toBe(2)
  })

  test('is read again after a hint of rows whose names it shows', async () => {
    const { openSecond, secondPage, stream, queryClient } = await renderPages(true)
    links.push({ from: 'users', field: 'id', to: 'audit', onDelete: 'clear' })
    onTestFinished(() => void links.pop())
    await stream.hint(root.id, 'v2', 'audit')
    const isMarked = () => queryClient.getQueryCache().findAll({ stale: true, queryKey: [{ tags: ['users'] }] }).length
    await waitFor(() => expect(isMarked()).toBeGreaterThan(1))
    await openSecond()
    expect(secondPage()).toBe(2)
  })

  test.each(['there is no stream', 'the stream has ended', 'the stream is silent'])(
    'is read again if %s',
    async (why) => {
      const { openSecond, secondPage, stream } = await renderPages(why !== 'there is no stream')
      if (why === 'the stream has ended') {
        network.use(http.get(`${api}/events`, () => HttpResponse.json({ detail: 'Not Found' }, { status: 404 })))
        await stream.end()
      }
      if (why === 'the stream is silent') {
        const now = Date.now()
        vi.spyOn(Date, 'now').mockImplementation(() => now + 40_000)
      }
      await openSecond()
      expect(secondPage()).toBe(2)
    },
  )
})

test('a list that was updated in place is read again when it is opened again', async () => {
  const users = [makeUser({ full_name: 'Stays' }), makeUser({ full_name: 'Goes' })]
  const { backend, stream, router } = await renderList({ users })
  const [stays, goes] = users as [UserPublic, UserPublic]
  backend.users = [stays]
  await stream.hint(goes.id, null)
  await waitFor(() => expect(screen.getByText('Goes').closest('tr')).toHaveClass('opacity-50'))
  await act(() => router.navigate({ to: '/settings' }))
  await act(() => router.navigate({ to: '/users' }))
  await waitFor(() => expect(names()).toEqual(['Stays']))
})

/** Opens the only user, and types another name. */
async function editName(actor: UserEvent) {
  await actor.click(screen.getByRole('button', { name: /^Actions for/ }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog')
  const name = within(dialog).getByLabelText(/^Full Name/)
  await actor.clear(name)
  await actor.type(name, 'Typed')
  return { dialog, name }
}

test('a form keeps what was typed, and says that its row was changed meanwhile', async () => {
  const users = [makeUser({ full_name: 'Before', email: 'old@example.com' })]
  const { backend, stream, actor } = await renderList({ users })
  const { dialog, name } = await editName(actor)
  const [user] = backend.users as [UserPublic]
  backend.users = [{ ...user, full_name: 'Elsewhere', email: 'elsewhere@example.com' }]
  await stream.hint(user.id, 'v2')
  expect(await within(dialog).findByText('Changed meanwhile')).toBeVisible()
  expect(name).toHaveValue('Typed')
  expect(name).toHaveFocus()
  expect(within(dialog).getByLabelText(/^Email/)).toHaveValue('elsewhere@example.com')
  await actor.click(within(dialog).getByRole('button', { name: 'Save my changes' }))
  await waitFor(() => expect(backend.users[0]).toMatchObject({ full_name: 'Typed', email: 'elsewhere@example.com' }))
})

test('a form keeps what was typed, and says that its row was deleted meanwhile', async () => {
  const { backend, stream, actor } = await renderList({ users: [makeUser({ full_name: 'Before' })] })
  const { dialog, name } = await editName(actor)
  const [user] = backend.users as [UserPublic]
  backend.users = []
  await stream.hint(user.id, null)
  expect(await within(dialog).findByText(/^This user was deleted in the meantime/)).toBeVisible()
  expect(name).toHaveValue('Typed')
  expect(name).toHaveFocus()
  expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a change of many rows is shown with one request', async () => {
  const users = [makeUser({ full_name: 'One' }), makeUser({ full_name: 'Two' }), makeUser({ full_name: 'Stays' })]
  const { backend, stream, requests } = await renderList({ users })
  backend.users = users.slice(2)
  const hints = users
    .slice(0, 2)
    .map(({ id }) => `event: change\ndata: ${JSON.stringify({ resource: 'users', id, version: null })}\n\n`)
  await stream.send(hints.join(''))
  for (const name of ['One', 'Two'])
    await waitFor(() => expect(screen.getByText(name).closest('tr')).toHaveClass('opacity-50'))
  expect(screen.getByText('Stays').closest('tr')).not.toHaveClass('opacity-50')
  expect(requests).toEqual(['GET /users/'])
})

test.each(anyResource)('the $table of a deleted account go with its hint, with one request', async (sample) => {
  const { table, searched } = sample
  const owner_id = crypto.randomUUID()
  const named = (name: string, values = {}) => makeRow(table, { [searched[0]]: name, ...values })
  const gone = Array.from({ length: 12 }, (_, index) => `Row ${index}`)
  const rows = [named('Stays'), ...gone.map((name) => named(name, { owner_id }))]
  const { backend, stream, requests } = await renderList({ rows: { [table]: rows } }, `/${table}`)
  backend.rows[table] = rows.slice(0, 1)
  await stream.hint(owner_id, null, 'users')
  const rowOf = (name: string) => screen.getByText(name).closest('tr')
  for (const name of gone) await waitFor(() => expect(rowOf(name)).toHaveClass('opacity-50'))
  expect(rowOf('Stays')).not.toHaveClass('opacity-50')
  expect(requests.filter((request) => request.includes(`/${table}/`))).toEqual([`GET /${table}/`])
})

test('a proxy that holds the stream back changes nothing', async () => {
  let asked = 0
  const held = http.get(`${api}/events`, () => {
    asked += 1
    return new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } })
  })
  const users = [makeUser({ full_name: 'Old' })]
  const { backend, router } = await renderApp({
    url: '/users',
    user: root,
    prepare: (prepared) => {
      network.use(held)
      prepared.users = users
    },
  })
  await waitFor(() => expect(asked).toBe(1))
  backend.users = users.map((user) => ({ ...user, full_name: 'Changed' }))
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + 20_000)
  await act(() => router.navigate({ to: '/settings' }))
  await act(() => router.navigate({ to: '/users' }))
  await waitFor(() => expect(names()).toEqual(['Changed']))
})

test('a server that is busy is asked again, and what is shown is read once then', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const users = [makeUser({ full_name: 'Old' })]
  const { backend, stream, requests } = await renderList({ users })
  advanceClock(60_000)
  const busy = http.get(`${api}/events`, () => HttpResponse.json({ detail: 'Busy' }, { status: 503 }), { once: true })
  const lost = http.get(`${api}/events`, () => HttpResponse.error(), { once: true })
  network.use(busy, lost)
  backend.users = users.map((user) => ({ ...user, full_name: 'Changed' }))
  await stream.end()
  await waitFor(() => expect(names()).toEqual(['Changed']))
  expect(stream.opened()).toBe(2)
  expect(requests.filter((request) => request === 'GET /users/')).toHaveLength(1)
})

/** Renders a list, and answers requests for the event stream differently. @returns the number of these requests */
async function renderWithoutStream(answer: () => Response): Promise<() => number> {
  let asked = 0
  const handler = http.get(`${api}/events`, () => {
    asked += 1
    return answer()
  })
  await renderApp({ url: '/users', user: root, prepare: () => network.use(handler) })
  act(() => void document.dispatchEvent(new Event('visibilitychange')))
  await waitFor(() => expect(asked).toBe(1))
  return () => asked
}

test('a stream is asked for at once when the network is back', async () => {
  waits.step = 60_000
  const asked = await renderWithoutStream(() => HttpResponse.error())
  await roundTrip()
  act(() => void window.dispatchEvent(new Event('online')))
  await waitFor(() => expect(asked()).toBe(2))
})

test('a stream that is refused as the session has ended leads to the log-in', async () => {
  const { router } = await renderApp({
    url: '/users',
    user: root,
    prepare: (backend) => {
      const refused = http.get(`${api}/events`, () => {
        backend.user = undefined
        return HttpResponse.json({ detail: 'Not authenticated' }, { status: 401 })
      })
      network.use(refused)
    },
  })
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

test('a stream that is refused while this page ends the session asks for nothing more', async () => {
  waits.step = 60_000
  await renderWithoutStream(() => HttpResponse.json({ detail: 'Not authenticated' }, { status: 401 }))
  await endSessionElsewhere()
  await roundTrip()
  expect(requestsTo('GET /users/me')).toHaveLength(1)
})

test('the hint of the own deletion asks for nothing before its answer, however late that is', async () => {
  const stream = createStream()
  const user = makeUser()
  const { actor, router } = await renderApp({
    url: '/settings?tab=dangerzone&delete',
    user,
    prepare: () => network.use(stream.handler),
  })
  await waitFor(() => expect(stream.opened()).toBe(1))
  const release = holdRequests('delete', '*/users/me')
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete Account' }))
  await actor.click(dialog.getByRole('button', { name: 'Delete' }))
  await stream.hint(user.id, null, 'users')
  network.use(http.get(`${api}/events`, () => HttpResponse.json({ detail: 'Not authenticated' }, { status: 401 })))
  await stream.end()
  await new Promise((resolve) => setTimeout(resolve, 5 * waits.step))
  expect(requestsTo('GET /users/me')).toHaveLength(1)
  release()
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

test('a back end without the stream is asked once', async () => {
  const asked = await renderWithoutStream(() => HttpResponse.json({ detail: 'Not Found' }, { status: 404 }))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(asked()).toBe(1)
})
