import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { ItemPublic } from '@/client/types.gen'
import { links } from '@/lib/resources'
import { waits } from '@/data/live/live'
import { makeItem, makeUser, manyItems } from '../../support/backend'
import { createStream, hintOf } from '../../support/event-stream'
import { holdRequests, network, requestsTo } from '../../support/network'
import { endSessionElsewhere, renderApp, roundTrip } from '../../support/render-app'
import { versionOf } from '../../support/resource-handlers'

const api = `${window.location.origin}/api/v1`

beforeEach(() => {
  const ofProduct = { ...waits }
  onTestFinished(() => void Object.assign(waits, ofProduct))
  Object.assign(waits, { step: 100, collect: 50 })
})

/** Renders items with an open event stream, and records the requests after the first reads. */
async function renderItems(items: ItemPublic[], url = '/items') {
  const stream = createStream()
  const app = await renderApp({
    url,
    user: makeUser(),
    prepare: (backend) => {
      backend.items = items
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

const titles = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.querySelector('[data-title]')?.textContent)

describe('a shown list', () => {
  test('updates a row that was changed elsewhere where it stands, with one request', async () => {
    const items = [makeItem({ title: 'First' }), makeItem({ title: 'Second' })]
    const { backend, stream, requests } = await renderItems(items)
    const [first, second] = items as [ItemPublic, ItemPublic]
    backend.items = [{ ...second, title: 'Changed' }, first]
    await stream.hint(second.id, 'v2')
    await waitFor(() => expect(titles()).toEqual(['First', 'Changed']))
    expect(requests).toEqual(['GET /items/'])
  })

  test('counts new rows, and shows them when asked', async () => {
    const items = [makeItem({ title: 'Old' })]
    const { backend, stream, actor, requests } = await renderItems(items)
    const added = [makeItem({ title: 'New' }), makeItem({ title: 'Newer' })]
    backend.items = [...added, ...items]
    for (const { id } of added) await stream.hint(id, 'v1')
    expect(await screen.findByText('· 2 new items')).toBeVisible()
    expect(titles()).toEqual(['Old'])
    await actor.click(screen.getByRole('button', { name: 'Show' }))
    await waitFor(() => expect(titles()).toEqual(['New', 'Newer', 'Old']))
    expect(screen.queryByText(/new items/)).not.toBeInTheDocument()
    expect(requests).toEqual(['GET /items/'])
  })

  test('that is being read is read again afterwards, as the answer may be older than the change', async () => {
    const items = [makeItem({ title: 'Old' })]
    const { backend, stream, queryClient } = await renderItems(items)
    const old = { data: [...backend.items], count: 1 }
    const answer = Promise.withResolvers<void>()
    const slow = http.get(`${api}/items/`, () => answer.promise.then(() => HttpResponse.json(old)), { once: true })
    network.use(slow)
    void queryClient.invalidateQueries({ queryKey: [{ tags: ['items'] }] })
    backend.items = items.map((item) => ({ ...item, title: 'Changed' }))
    await stream.hint(items[0]?.id ?? '', 'v2')
    await new Promise((resolve) => setTimeout(resolve, 300))
    answer.resolve()
    await waitFor(() => expect(titles()).toEqual(['Changed']))
  })

  test('dims deleted rows', async () => {
    const items = [makeItem({ title: 'Stays' }), makeItem({ title: 'Goes' })]
    const { backend, stream } = await renderItems(items)
    const [stays, goes] = items as [ItemPublic, ItemPublic]
    backend.items = [stays]
    await stream.hint(goes.id, null)
    const row = screen.getByText('Goes').closest('tr')
    await waitFor(() => expect(row).toHaveClass('opacity-50'))
    expect(titles()).toEqual(['Stays', 'Goes'])
  })

  test('dims a changed row that left the page, without looking for it, until the next read', async () => {
    const { backend, stream, requests, queryClient } = await renderItems(manyItems(51))
    const [moved, stays] = backend.items as [ItemPublic, ItemPublic]
    backend.items = [...backend.items.slice(1), { ...moved, title: 'Moved' }]
    await stream.hint(moved.id, 'v2')
    const row = screen.getByText(moved.title).closest('tr')
    await waitFor(() => expect(row).toHaveClass('opacity-50'))
    expect(titles().slice(0, 2)).toEqual([moved.title, stays.title])
    expect(screen.queryByText(/new item/)).not.toBeInTheDocument()
    // The next page may be prefetched.
    expect(requests.filter((request) => request !== 'GET /items/')).toEqual([])
    await act(() => queryClient.refetchQueries({ queryKey: [{ tags: ['items'] }], type: 'active' }))
    await waitFor(() => expect(titles()[0]).toBe(stays.title))
    expect(row).not.toBeInTheDocument()
  })

  test('does not dim a row that only made room for a new one', async () => {
    const { backend, stream } = await renderItems(manyItems(50))
    const last = backend.items[49] as ItemPublic
    const added = makeItem({ title: 'New' })
    backend.items = [added, ...backend.items]
    await stream.hint(added.id, 'v1')
    expect(await screen.findByText('· 1 new item')).toBeVisible()
    expect(screen.getByText(last.title).closest('tr')).not.toHaveClass('opacity-50')
  })

  test('shows a row as before that is on the page again', async () => {
    const items = [makeItem({ title: 'Note one' }), makeItem({ title: 'Note two' })]
    const { backend, stream } = await renderItems(items, '/items?q=note')
    const [one, two] = items as [ItemPublic, ItemPublic]
    backend.items = [one, { ...two, title: 'Other' }]
    await stream.hint(two.id, 'v2')
    await waitFor(() => expect(screen.getByText('Note two').closest('tr')).toHaveClass('opacity-50'))
    backend.items = [one, { ...two, title: 'Note 2' }]
    await stream.hint(two.id, 'v3')
    await waitFor(() => expect(screen.getByText('Note 2').closest('tr')).not.toHaveClass('opacity-50'))
  })

  test('counts a new row also when another one matches no more', async () => {
    const items = [makeItem({ title: 'Note one' }), makeItem({ title: 'Note two' })]
    const { backend, stream } = await renderItems(items, '/items?q=note')
    const [one, two] = items as [ItemPublic, ItemPublic]
    const added = makeItem({ title: 'Note three' })
    backend.items = [added, one, { ...two, title: 'Other' }]
    await stream.hint(two.id, 'v2')
    await stream.hint(added.id, 'v1')
    expect(await screen.findByText('· 1 new item')).toBeVisible()
    expect(titles()).toEqual(['Note one', 'Note two'])
    expect(screen.getByText('Note two').closest('tr')).toHaveClass('opacity-50')
  })

  test('dims many changed rows that left it, with one request', async () => {
    const items = Array.from({ length: 12 }, (_, index) => makeItem({ title: `Note ${index}` }))
    const { backend, stream, requests } = await renderItems(items, '/items?q=note')
    const [stays, ...leave] = items as [ItemPublic, ...ItemPublic[]]
    backend.items = [stays, ...leave.map((item) => ({ ...item, title: 'Other' }))]
    const data = leave.map(({ id }) => JSON.stringify({ resource: 'items', id, version: 'v2' }))
    await stream.send(data.map((each) => `event: change\ndata: ${each}\n\n`).join(''))
    const dimmed = () => screen.getAllByRole('row').filter((row) => row.classList.contains('opacity-50')).length
    await waitFor(() => expect(dimmed()).toBe(11))
    await roundTrip()
    expect(requests.filter((request) => request !== 'GET /instance')).toEqual(['GET /items/'])
  })

  test('is not read for a hint of a row that it has, as its version says', async () => {
    const items = [makeItem({ title: 'Known' }), makeItem({ title: 'Old' })]
    const { backend, stream, requests } = await renderItems(items)
    const [known, old] = items as [ItemPublic, ItemPublic]
    await stream.hint(known.id, versionOf(known))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(requests).toEqual([])
    backend.items = [known, { ...old, title: 'Changed' }]
    await stream.hint(old.id, 'v2')
    await waitFor(() => expect(titles()).toEqual(['Known', 'Changed']))
    expect(requests).toEqual(['GET /items/'])
  })
})

test('a hint of an account whose version is the same is read: it may have confirmed its address', async () => {
  const { stream, requests, backend } = await renderItems([makeItem()])
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
    const items = [makeItem({ title: 'Old' }), makeItem({ title: 'Gone' })]
    const app = await renderItems(items)
    const changed = app.backend.items.slice(0, 1).map((item) => ({ ...item, title: 'Changed meanwhile' }))
    app.backend.items = [makeItem({ title: 'New' }), ...changed]
    const reads = () => app.requests.filter((request) => request === 'GET /items/').length
    return { ...app, changed, reads }
  }

  test('of more than 10 seconds, what is shown is read once', async () => {
    const { stream, requests, reads } = await renderOld()
    advanceClock(10_001)
    await stream.end()
    await waitFor(() => expect(titles()).toEqual(['Changed meanwhile', 'Gone']))
    expect(await screen.findByText('· 1 new item')).toBeVisible()
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
    stream.sendFirst(hintOf(changed[0]?.id ?? '', 'v2', 'items'))
    await stream.end()
    await waitFor(() => expect(titles()).toEqual(['Changed meanwhile', 'Gone']))
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
  const { queryClient, requests } = await renderItems([makeItem()])
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
  await waitFor(() => expect(requests.filter((request) => request === 'GET /items/')).toHaveLength(1))
})

describe('the first stream of a page', () => {
  /** Changes the back end before the first event stream opens. @param hints in the first message of the stream */
  async function renderBefore(hints: (items: ItemPublic[]) => string) {
    const items = [makeItem({ title: 'Old' })]
    const { promise, resolve } = Promise.withResolvers<void>()
    const stream = createStream(promise)
    const app = await renderApp({
      url: '/items',
      user: makeUser(),
      prepare: (backend) => {
        backend.items = items
        network.use(stream.handler)
      },
    })
    await screen.findByText('Old')
    stream.sendFirst(hints(items))
    app.backend.items = [makeItem({ title: 'New' }), ...items.map((item) => ({ ...item, title: 'Changed' }))]
    resolve()
    await waitFor(() => expect(stream.opened()).toBe(1))
    await roundTrip()
    return app
  }

  test('reads nothing if nothing has changed since the page was read', async () => {
    await renderBefore((items) => items.map((item) => hintOf(item.id, versionOf(item), 'items')).join(''))
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(requestsTo('GET /items/')).toHaveLength(1)
    expect(requestsTo('GET /users/me')).toHaveLength(1)
  })

  test('shows what has changed since, with one request for the list', async () => {
    await renderBefore((items) => items.map(({ id }) => hintOf(id, 'v2', 'items')).join(''))
    expect(await screen.findByText('· 1 new item')).toBeVisible()
    await waitFor(() => expect(titles()).toEqual(['Changed']))
    expect(requestsTo('GET /items/')).toHaveLength(2)
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

  test('asks what has changed while it loaded, and reads it', async () => {
    const other = openChannelOfOtherTab()
    const item = makeItem()
    await renderApp({ url: '/items', user: makeUser(), prepare: (backend) => (backend.items = [item]) })
    await waitFor(() => expect(other.received).toContainEqual({ kind: 'joined' }))
    await screen.findByRole('table')
    other.send({ kind: 'changes', changes: [{ resource: 'items', id: item.id, version: versionOf(item) }] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(requestsTo('GET /items/')).toHaveLength(1)
    other.send({ kind: 'changes', changes: [{ resource: 'items', id: item.id, version: 'v2' }] })
    await waitFor(() => expect(requestsTo('GET /items/')).toHaveLength(2))
  })

  test('learns it from the tab with the stream', async () => {
    const items = [makeItem()]
    const { stream } = await renderItems(items)
    const other = openChannelOfOtherTab()
    const id = items[0]?.id ?? ''
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received).toEqual([{ kind: 'changes', changes: [] }]))
    await stream.hint(id, 'v2')
    await waitFor(() => expect(other.received).toHaveLength(2))
    const passMore = advanceClock(9_000)
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received).toHaveLength(3))
    expect(other.received[2]).toEqual({ kind: 'changes', changes: [{ resource: 'items', id, version: 'v2' }] })
    passMore(2_000)
    await stream.send(':\n\n')
    await waitFor(() => expect(other.received).toHaveLength(4))
    other.send({ kind: 'joined' })
    await waitFor(() => expect(other.received[4]).toEqual({ kind: 'changes', changes: [] }))
  })
})

test('a tab that was opened while another had the stream reads again after the first gap that it sees', async () => {
  await renderApp({
    url: '/items',
    user: makeUser(),
    prepare: (backend) => {
      backend.items = [makeItem()]
    },
  })
  const requests: string[] = []
  const onRequest = ({ request }: { request: Request }) => {
    requests.push(new URL(request.url).pathname)
  }
  network.events.on('request:start', onRequest)
  onTestFinished(() => network.events.removeListener('request:start', onRequest))
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000)
  const other = new BroadcastChannel('steward_live')
  onTestFinished(() => other.close())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has none
  other.postMessage({ kind: 'begun' })
  await waitFor(() => expect(requests).toContain('/api/v1/items/'))
})

test('a stream that ends at once is asked for less and less often', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  let asked = 0
  const ended = http.get(`${api}/events`, () => {
    asked += 1
    return new HttpResponse('event: hello\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } })
  })
  await renderApp({ url: '/items', user: makeUser(), prepare: () => network.use(ended) })
  await waitFor(() => expect(asked).toBe(2))
  await new Promise((resolve) => setTimeout(resolve, 250))
  // Retries come after 100 ms and 300 ms.
  expect(asked).toBeLessThanOrEqual(4)
})

describe('what was prefetched', () => {
  /** Renders the first of three pages, waits until the second is prefetched, and moves the clock a minute forward. */
  async function renderPages(hasStream: boolean) {
    const items = manyItems(120)
    const stream = createStream()
    const app = await renderApp({
      url: '/items',
      user: makeUser(),
      prepare: (backend) => {
        backend.items = items
        if (hasStream) network.use(stream.handler)
      },
    })
    const secondPage = () => requestsTo('GET /items/').filter(({ query }) => query === '?skip=50&limit=50').length
    await waitFor(() => expect(secondPage()).toBe(1))
    await waitFor(() => expect(stream.opened()).toBe(hasStream ? 1 : 0))
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now + 60_000)
    if (hasStream) await stream.send(':\n\n')
    const openSecond = async () => {
      await app.actor.click(screen.getByRole('link', { name: 'Page 2' }))
      await waitFor(() => expect(titles()[0]).toBe(items[50]?.title))
      await roundTrip()
    }
    return { ...app, stream, items, secondPage, openSecond }
  }

  test('is not read again when it is opened', async () => {
    const { openSecond, secondPage } = await renderPages(true)
    await openSecond()
    expect(secondPage()).toBe(1)
  })

  test('is read again after a hint', async () => {
    const { openSecond, secondPage, stream, items } = await renderPages(true)
    await stream.hint(items[60]?.id ?? '', 'v2')
    await waitFor(() => expect(requestsTo('GET /items/').length).toBeGreaterThan(2))
    await openSecond()
    expect(secondPage()).toBe(2)
  })

  test('is read again after a hint of rows whose names it shows', async () => {
    const { openSecond, secondPage, stream, queryClient } = await renderPages(true)
    const all = links as (typeof links)[number][]
    all.push({ from: 'items', field: 'owner_id', to: 'users', onDelete: 'delete' })
    onTestFinished(() => void all.pop())
    await stream.hint(makeUser().id, 'v2', 'users')
    const isMarked = () => queryClient.getQueryCache().findAll({ stale: true, queryKey: [{ tags: ['items'] }] }).length
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
  const items = [makeItem({ title: 'Stays' }), makeItem({ title: 'Goes' })]
  const { backend, stream, router } = await renderItems(items)
  const [stays, goes] = items as [ItemPublic, ItemPublic]
  backend.items = [stays]
  await stream.hint(goes.id, null)
  await waitFor(() => expect(screen.getByText('Goes').closest('tr')).toHaveClass('opacity-50'))
  await act(() => router.navigate({ to: '/settings' }))
  await act(() => router.navigate({ to: '/items' }))
  await waitFor(() => expect(titles()).toEqual(['Stays']))
})

/** Opens the item `Before`, and types another title. */
async function editTitle(actor: UserEvent) {
  await actor.click(screen.getByRole('link', { name: 'Before' }))
  const dialog = await screen.findByRole('dialog')
  const title = within(dialog).getByLabelText(/^Title/)
  await actor.clear(title)
  await actor.type(title, 'Typed')
  return { dialog, title }
}

test('a form keeps what was typed, and says that its item was changed meanwhile', async () => {
  const items = [makeItem({ title: 'Before', description: 'Old' })]
  const { backend, stream, actor } = await renderItems(items)
  const { dialog, title } = await editTitle(actor)
  const [item] = backend.items as [ItemPublic]
  backend.items = [{ ...item, title: 'Elsewhere', description: 'Elsewhere, too' }]
  await stream.hint(item.id, 'v2')
  expect(await within(dialog).findByText('Changed meanwhile')).toBeVisible()
  expect(title).toHaveValue('Typed')
  expect(title).toHaveFocus()
  expect(within(dialog).getByLabelText(/^Description/)).toHaveValue('Elsewhere, too')
  await actor.click(within(dialog).getByRole('button', { name: 'Save my changes' }))
  await waitFor(() => expect(backend.items[0]).toMatchObject({ title: 'Typed', description: 'Elsewhere, too' }))
})

test('a form keeps what was typed, and says that its item was deleted meanwhile', async () => {
  const { backend, stream, actor } = await renderItems([makeItem({ title: 'Before' })])
  const { dialog, title } = await editTitle(actor)
  const [item] = backend.items as [ItemPublic]
  backend.items = []
  await stream.hint(item.id, null)
  expect(await within(dialog).findByText(/^This item was deleted in the meantime/)).toBeVisible()
  expect(title).toHaveValue('Typed')
  expect(title).toHaveFocus()
  expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a change of many rows is shown with one request', async () => {
  const items = [makeItem({ title: 'One' }), makeItem({ title: 'Two' }), makeItem({ title: 'Stays' })]
  const { backend, stream, requests } = await renderItems(items)
  const gone = items.slice(0, 2)
  backend.items = items.slice(2)
  const hints = gone.map(
    ({ id }) => `event: change\ndata: ${JSON.stringify({ resource: 'items', id, version: null })}\n\n`,
  )
  await stream.send(hints.join(''))
  for (const { title } of gone)
    await waitFor(() => expect(screen.getByText(title).closest('tr')).toHaveClass('opacity-50'))
  expect(screen.getByText('Stays').closest('tr')).not.toHaveClass('opacity-50')
  expect(requests).toEqual(['GET /items/'])
})

test('the rows of a deleted account go with its hint, with one request', async () => {
  const other = makeUser()
  const items = [makeItem({ title: 'Stays' }), ...manyItems(12).map((item) => ({ ...item, owner_id: other.id }))]
  const { backend, stream, requests } = await renderItems(items)
  backend.items = items.slice(0, 1)
  await stream.hint(other.id, null, 'users')
  const rowOf = (title: string) => screen.getByText(title).closest('tr')
  for (const { title } of items.slice(1)) await waitFor(() => expect(rowOf(title)).toHaveClass('opacity-50'))
  expect(rowOf('Stays')).not.toHaveClass('opacity-50')
  expect(requests.filter((request) => request.includes('/items/'))).toEqual(['GET /items/'])
})

test('a proxy that holds the stream back changes nothing', async () => {
  let asked = 0
  const held = http.get(`${api}/events`, () => {
    asked += 1
    return new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } })
  })
  const items = [makeItem({ title: 'Old' })]
  const { backend, router } = await renderApp({
    url: '/items',
    user: makeUser(),
    prepare: (prepared) => {
      network.use(held)
      prepared.items = items
    },
  })
  await waitFor(() => expect(asked).toBe(1))
  backend.items = items.map((item) => ({ ...item, title: 'Changed' }))
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + 20_000)
  await act(() => router.navigate({ to: '/settings' }))
  await act(() => router.navigate({ to: '/items' }))
  await waitFor(() => expect(titles()).toEqual(['Changed']))
})

test('a server that is busy is asked again, and what is shown is read once then', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  const items = [makeItem({ title: 'Old' })]
  const { backend, stream, requests } = await renderItems(items)
  advanceClock(60_000)
  const busy = http.get(`${api}/events`, () => HttpResponse.json({ detail: 'Busy' }, { status: 503 }), { once: true })
  const lost = http.get(`${api}/events`, () => HttpResponse.error(), { once: true })
  network.use(busy, lost)
  backend.items = items.map((item) => ({ ...item, title: 'Changed' }))
  await stream.end()
  await waitFor(() => expect(titles()).toEqual(['Changed']))
  expect(stream.opened()).toBe(2)
  expect(requests.filter((request) => request === 'GET /items/')).toHaveLength(1)
})

/** Renders a list, and answers requests for the event stream differently. @returns the number of these requests */
async function renderWithoutStream(answer: () => Response): Promise<() => number> {
  let asked = 0
  const handler = http.get(`${api}/events`, () => {
    asked += 1
    return answer()
  })
  await renderApp({ url: '/items', user: makeUser(), prepare: () => network.use(handler) })
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
    url: '/items',
    user: makeUser(),
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
