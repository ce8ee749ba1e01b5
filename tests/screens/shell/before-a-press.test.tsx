import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { stubConnection } from '../../support/connection'
import { type Backend, makeUser, manyUsers, never } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, renderApp, roundTrip, listLoaded } from '../../support/render-app'
import { itemsPath } from '../../support/items/rows'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const invited = makeUser({ email: 'grace@example.com', full_name: 'Grace', is_invited: true })

const open = (url: string, prepare: (backend: Backend) => void = () => undefined) =>
  renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, { ...invited })
      prepare(backend)
    },
  })

const openMany = (url = '/users') => open(url, ({ users }) => void users.unshift(...manyUsers(170)))

const queriesOf = (path: string) => requestsTo(`GET ${path}`).map(({ query }) => query)
const pages = () => queriesOf('/users/').map((query) => 1 + Number(new URLSearchParams(query).get('skip')) / 50)

/** Waits until idle callbacks and their requests have run. */
const idle = () => act(() => new Promise((resolve) => setTimeout(resolve, 300)))

describe('the pages beside that of an idle list', () => {
  test('are read once, and a press on them reads nothing that is shown', async () => {
    const { actor } = await openMany('/users?page=2')
    await waitFor(() => expect(pages()).toEqual([2, 3, 1]))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await expectRow({ 'Full Name': 'User 100' })
    await waitFor(() => expect(pages()).toEqual([2, 3, 1, 4]))
    await actor.click(screen.getByRole('link', { name: 'Previous page' }))
    await expectRow({ 'Full Name': 'User 50' })
    await actor.click(screen.getByRole('link', { name: 'Previous page' }))
    await expectRow({ 'Full Name': 'User 0' })
    await idle()
    expect(pages()).toEqual([2, 3, 1, 4])
  })

  test('are not read before the list itself has loaded', async () => {
    await open('/users', () => network.use(http.get('*/users/', never)))
    await idle()
    expect(pages()).toEqual([1])
  })

  test('are aborted by a press on something else', async () => {
    const aborted = vi.fn<() => void>()
    const { actor } = await openMany()
    network.use(
      http.get('*/users/', ({ request }) => {
        if (!request.url.includes('skip=50')) return
        request.signal.addEventListener('abort', aborted)
        return never()
      }),
    )
    await waitFor(() => expect(pages()).toEqual([1, 2]))
    expect(aborted).not.toHaveBeenCalled()
    await actor.click(screen.getByRole('link', { name: 'Page 4' }))
    await waitFor(() => expect(aborted).toHaveBeenCalled())
    await expectRow({ 'Full Name': 'User 150' })
    // Otherwise the next test receives the request.
    await waitFor(() => expect(pages()).toContain(3))
  })

  test('keep their request when they are pressed', async () => {
    const { actor } = await openMany()
    const { promise, resolve } = Promise.withResolvers<void>()
    network.use(http.get('*/users/', ({ request }) => (request.url.includes('skip=50') ? promise : undefined)))
    await waitFor(() => expect(pages()).toEqual([1, 2]))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await screen.findByRole('link', { name: 'Page 2', current: 'page' })
    await idle()
    resolve()
    await expectRow({ 'Full Name': 'User 50' })
    expect(pages().filter((page) => page === 2)).toHaveLength(1)
  })
})

test.each(['hovered', 'focused'])('a page further on is read when its link is %s', async (how) => {
  const { actor } = await openMany()
  await waitFor(() => expect(pages()).toEqual([1, 2]))
  // A link that renders again loses the hover.
  await listLoaded()
  const link = screen.getByRole('link', { name: 'Page 4' })
  if (how === 'hovered') await actor.hover(link)
  else act(() => link.focus())
  await waitFor(() => expect(pages()).toEqual([1, 2, 4]))
  await (how === 'hovered' ? actor.click(link) : actor.keyboard('{Enter}'))
  await expectRow({ 'Full Name': 'User 150' })
  await waitFor(() => expect(pages()).toEqual([1, 2, 4, 3]))
})

test.each([
  ['Items', 'hovered', `${itemsPath}/`, 'skip=0&limit=50'],
  ['Users', 'hovered', '/users/', 'skip=0&limit=50'],
  ['Users', 'focused', '/users/', 'skip=0&limit=50'],
  ['Users', 'touched', '/users/', 'skip=0&limit=50'],
  ['Audit Log', 'hovered', '/audit/', ''],
  [/^Invited users/, 'hovered', '/users/', 'status=invited'],
  [/^Failed log-ins/, 'hovered', '/audit/', 'result=failed'],
])('the link %s reads its list when it is %s, and not again when it is pressed', async (name, how, path, part) => {
  const asked = () => queriesOf(path).filter((query) => query.includes(part) && !query.includes('limit=10'))
  const { actor } = await open('/')
  const link = await screen.findByRole('link', { name })
  expect(asked()).toEqual([])
  if (how === 'hovered') await actor.hover(link)
  else if (how === 'focused') act(() => link.focus())
  else fireEvent.touchStart(link)
  await waitFor(() => expect(asked()).toHaveLength(1))
  await actor.click(link)
  await screen.findByRole('heading', { level: 1, name: /^(?!Hi)/ })
  await roundTrip()
  expect(asked()).toHaveLength(1)
})

test('with data saver, nothing is read before it is pressed', async () => {
  stubConnection({ saveData: true })
  const { actor, backend } = await openMany()
  await expectRow({ 'Full Name': 'User 0' })
  await actor.hover(screen.getByRole('link', { name: 'Audit Log' }))
  await actor.hover(screen.getByRole('link', { name: 'Next page' }))
  await actor.click(screen.getByRole('button', { name: 'Actions for u0@example.com' }))
  await screen.findByRole('menu')
  await idle()
  expect([pages(), queriesOf('/audit/'), queriesOf(`/users/${backend.users[0]?.id}`)]).toEqual([[1], [], []])
  await actor.keyboard('{Escape}')
  await actor.click(screen.getByRole('link', { name: 'Audit Log' }))
  await waitFor(() => expect(queriesOf('/audit/')).toHaveLength(1))
})

test.each([
  ['2g', 0],
  ['4g', 1],
])('while a form has unsaved text on a %s network, %i lists are prefetched', async (effectiveType, count) => {
  stubConnection({ effectiveType })
  const { actor } = await open('/settings')
  await actor.type(await screen.findByLabelText('Full Name'), ' of May')
  await actor.hover(screen.getByRole('link', { name: 'Users' }))
  await idle()
  expect(queriesOf('/users/')).toHaveLength(count)
})

test.each(['a key', 'the pointer', 'a touch'])('a hit of the palette is read when %s is on it', async (how) => {
  const reads = () => queriesOf(`/users/${invited.id}`)
  const { actor } = await open('/security')
  await screen.findByRole('heading', { level: 1 })
  await actor.keyboard('{Control>}k{/Control}')
  await actor.type(await screen.findByRole('combobox'), 'example')
  const hit = await screen.findByRole('option', { name: /^Grace/ })
  expect(reads()).toEqual([])
  if (how === 'a key') await actor.keyboard('{ArrowDown}')
  else if (how === 'the pointer') fireEvent.pointerMove(hit)
  else fireEvent.pointerDown(hit)
  await waitFor(() => expect(reads()).toHaveLength(1))
  await roundTrip()
  await actor.click(hit)
  await screen.findByRole('heading', { level: 1, name: 'Grace' })
  expect(reads()).toHaveLength(1)
})

describe('the requests of a journey', () => {
  test('from a list to a saved row: one read of it behind its dialog, one change, and one of the list behind it', async () => {
    const { actor } = await open('/users')
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const name = await screen.findByLabelText('Full Name')
    await waitFor(() => expect(requestsTo(`GET /users/${invited.id}`)).toHaveLength(1))
    await actor.type(name, ' Hopper')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectRow({ 'Full Name': 'Grace Hopper' })
    await idle()
    expect(pages()).toEqual([1, 1])
    expect(requestsTo(`GET /users/${invited.id}`)).toHaveLength(1)
    expect(requestsTo(`PATCH /users/${invited.id}`)).toHaveLength(1)
  })

  test('from users to a user and back: each once', async () => {
    // Without a running clock, no data becomes stale on a slow machine.
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { actor, router } = await open('/users')
    await actor.click(await screen.findByRole('link', { name: 'Grace' }))
    await screen.findByRole('heading', { level: 1, name: 'Grace' })
    await idle()
    act(() => router.history.back())
    await expectRow({ 'Full Name': 'Grace' })
    await idle()
    expect(queriesOf('/users/')).toHaveLength(1)
    expect(requestsTo(`GET /users/${invited.id}`)).toHaveLength(1)
  })
})
