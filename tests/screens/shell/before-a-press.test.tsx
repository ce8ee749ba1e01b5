import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { stubConnection } from '../../support/connection'
import { makeItem, makeUser, manyItems, never } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, renderApp, roundTrip } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const invited = makeUser({ email: 'grace@example.com', full_name: 'Grace', is_invited: true })

const open = (url: string, prepare: () => void = () => undefined) =>
  renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, invited)
      backend.items.push(...manyItems(170))
      prepare()
    },
  })

const queriesOf = (path: string) => requestsTo(`GET ${path}`).map(({ query }) => query)
const pages = () => queriesOf('/items/').map((query) => 1 + Number(new URLSearchParams(query).get('skip')) / 50)

/** Waits until idle callbacks and their requests have run. */
const idle = () => act(() => new Promise((resolve) => setTimeout(resolve, 300)))

describe('the pages beside that of an idle list', () => {
  test('are read once, and a press on them reads nothing that is shown', async () => {
    const { actor } = await open('/items?page=2')
    await waitFor(() => expect(pages()).toEqual([2, 3, 1]))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await expectRow({ Title: 'Item 101' })
    await waitFor(() => expect(pages()).toEqual([2, 3, 1, 4]))
    await actor.click(screen.getByRole('link', { name: 'Previous page' }))
    await expectRow({ Title: 'Item 51' })
    await actor.click(screen.getByRole('link', { name: 'Previous page' }))
    await expectRow({ Title: 'Item 1' })
    await idle()
    expect(pages()).toEqual([2, 3, 1, 4])
  })

  test('are not read before the list itself has loaded', async () => {
    await open('/items', () => network.use(http.get('*/items/', never)))
    await idle()
    expect(pages()).toEqual([1])
  })

  test('are aborted by a press on something else', async () => {
    const aborted = vi.fn<() => void>()
    const { actor } = await open('/items')
    network.use(
      http.get('*/items/', ({ request }) => {
        if (!request.url.includes('skip=50')) return
        request.signal.addEventListener('abort', aborted)
        return never()
      }),
    )
    await waitFor(() => expect(pages()).toEqual([1, 2]))
    expect(aborted).not.toHaveBeenCalled()
    await actor.click(screen.getByRole('link', { name: 'Page 4' }))
    await waitFor(() => expect(aborted).toHaveBeenCalled())
    await expectRow({ Title: 'Item 151' })
    // Otherwise the next test receives the request.
    await waitFor(() => expect(pages()).toContain(3))
  })

  test('keep their request when they are pressed', async () => {
    const { actor } = await open('/items')
    const { promise, resolve } = Promise.withResolvers<void>()
    network.use(http.get('*/items/', ({ request }) => (request.url.includes('skip=50') ? promise : undefined)))
    await waitFor(() => expect(pages()).toEqual([1, 2]))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await screen.findByRole('link', { name: 'Page 2', current: 'page' })
    await idle()
    resolve()
    await expectRow({ Title: 'Item 51' })
    expect(pages().filter((page) => page === 2)).toHaveLength(1)
  })
})

test.each([
  ['Items', 'hovered', '/items/', 'skip=0&limit=50'],
  ['Items', 'focused', '/items/', 'skip=0&limit=50'],
  ['Items', 'touched', '/items/', 'skip=0&limit=50'],
  ['Users', 'hovered', '/users/', 'skip=0&limit=50'],
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
  await screen.findByRole('heading', { level: 1, name: /^(Items|Users|Audit Log)$/ })
  await roundTrip()
  expect(asked()).toHaveLength(1)
})

test('with data saver, nothing is read before it is pressed', async () => {
  stubConnection({ saveData: true })
  const { actor, backend } = await open('/items')
  await expectRow({ Title: 'Item 1' })
  await actor.hover(screen.getByRole('link', { name: 'Users' }))
  await actor.hover(screen.getByRole('link', { name: 'Next page' }))
  await actor.click(screen.getByRole('button', { name: 'Actions for Item 1' }))
  await screen.findByRole('menu')
  await idle()
  expect([pages(), queriesOf('/users/'), queriesOf(`/items/${backend.items[0]?.id}`)]).toEqual([[1], [], []])
  await actor.keyboard('{Escape}')
  await actor.click(screen.getByRole('link', { name: 'Users' }))
  await screen.findByRole('link', { name: 'Grace' })
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
  const note = makeItem({ title: 'Grace notes' })
  const lists = () => queriesOf('/items/').filter((query) => query === '?skip=0&limit=50')
  const { actor, backend } = await open('/security')
  backend.items.push(note)
  await screen.findByRole('heading', { level: 1 })
  await actor.keyboard('{Control>}k{/Control}')
  await actor.type(await screen.findByRole('combobox'), 'grace')
  const hit = await screen.findByRole('option', { name: /^Grace notes/ })
  expect(lists()).toEqual([])
  if (how === 'a key') await actor.keyboard('{ArrowDown}')
  else if (how === 'the pointer') fireEvent.pointerMove(hit)
  else fireEvent.pointerDown(hit)
  await waitFor(() => expect(lists()).toHaveLength(1))
  await roundTrip()
  network.use(http.get(`*/items/${note.id}`, never))
  await actor.click(hit)
  expect(await screen.findByLabelText(/^Title/)).toHaveValue('Grace notes')
  expect(lists()).toHaveLength(1)
})

describe('the requests of a journey', () => {
  test('from a list to a saved item: one read of the item behind its dialog, one change, and one of the list behind it', async () => {
    const item = makeItem({ title: 'Garden', owner_id: root.id })
    const { actor } = await renderApp({ url: '/items', user: root, prepare: ({ items }) => void items.push(item) })
    await actor.click(await screen.findByRole('link', { name: 'Garden' }))
    const title = await screen.findByLabelText(/^Title/)
    await waitFor(() => expect(requestsTo(`GET /items/${item.id}`)).toHaveLength(1))
    await actor.type(title, ' plan')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectRow({ Title: 'Garden plan' })
    await idle()
    expect(pages()).toEqual([1, 1])
    expect(requestsTo(`GET /items/${item.id}`)).toHaveLength(1)
    expect(requestsTo(`PUT /items/${item.id}`)).toHaveLength(1)
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
