import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, renderApp, roundTrip } from '../../support/render-app'
import { anyResource } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', is_superuser: true })

const failures = [
  [404, 1],
  [503, 4],
] as const

describe('a list that fails to load', () => {
  test('SPEC 8: shows the error panel alone, and Try again loads it', async () => {
    const refuse = http.get('*/users/', () => refusal(404, 'Gone'), { once: true })
    const { actor } = await renderApp({
      url: '/users',
      user: root,
      prepare: ({ users }) => {
        users.push(root)
        network.use(refuse)
      },
    })
    expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
    expect(screen.queryByText('Not Found')).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Show Error' }))
    expect(screen.getByText('Not Found')).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Hide Error' }))
    expect(screen.queryByText('Not Found')).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    await expectRow({ Email: 'root@example.com' })
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
  })

  test.each(anyResource.flatMap(({ table }) => failures.map(([status, times]) => ({ table, status, times }))))(
    'while the page of $table loads, with a $status, is requested $times times in total',
    async ({ table, status, times }) => {
      const account = Promise.withResolvers<void>()
      const app = renderApp({
        url: `/${table}`,
        user: root,
        prepare: () =>
          network.use(
            http.get(`*/${table}/`, () => refusal(status, 'No')),
            http.get('*/users/me', () => account.promise, { once: true }),
          ),
      })
      await waitFor(() => expect(requestsTo(`GET /${table}/`)).toHaveLength(times))
      // The error page appears after the list request has failed.
      await roundTrip()
      account.resolve()
      const { queryClient } = await app
      expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
      // A query that waits for a retry would count as fetching.
      expect(queryClient.isFetching({ queryKey: [{ tags: [table] }] })).toBe(0)
      expect(requestsTo(`GET /${table}/`)).toHaveLength(times)
    },
    20_000,
  )

  test('while offline shows the panel after the retries, and loads when the browser is online again', async () => {
    const { actor } = await renderApp({
      url: '/',
      user: root,
      prepare: (backend) => backend.users.push(makeUser({ full_name: 'Still here' })),
    })
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    network.use(
      http.get('*/users/', () => (navigator.onLine ? undefined : HttpResponse.error())),
      http.head('/', () => HttpResponse.error()),
    )
    act(() => void window.dispatchEvent(new Event('offline')))
    await actor.click(await screen.findByRole('link', { name: 'Users' }))
    const panel = { name: 'Something went wrong!' }
    expect(await screen.findByRole('heading', panel, { timeout: 12_000 })).toBeInTheDocument()
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText('Still here')).toBeInTheDocument()
  }, 20_000)

  test('keeps its panel during a retry, with the button pending, and is announced once', async () => {
    const app = await renderApp({
      url: '/users',
      user: root,
      prepare: () => network.use(http.get('*/users/', () => refusal(404, 'No'))),
    })
    const panel = await screen.findByRole('alert')
    const again = screen.getByRole('button', { name: 'Try again' })
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/users/', () => held.promise.then(() => refusal(404, 'No')), { once: true }))
    await app.actor.click(again)
    await waitFor(() => expect(again).toHaveAttribute('aria-busy', 'true'))
    expect(again).toHaveFocus()
    held.resolve()
    await waitFor(() => expect(again).not.toHaveAttribute('aria-busy'))
    expect(requestsTo('GET /users/')).toHaveLength(2)
    // Screen readers would announce a new live region again.
    expect(screen.getByRole('alert')).toBe(panel)
  })
})

test('a loaded list stays when reading it again fails', async () => {
  const { actor, queryClient } = await renderApp({
    url: '/users',
    user: root,
    prepare: ({ users }) => users.push(makeUser({ full_name: 'Still here' })),
  })
  await screen.findByText('Still here')
  network.use(http.get('*/users/', () => refusal(404, 'Gone')))
  await act(() => queryClient.invalidateQueries())
  expect(requestsTo('GET /users/')).toHaveLength(2)
  expect(screen.getByText('Still here')).toBeInTheDocument()
  await actor.click(screen.getByRole('button', { name: 'Add User' }))
  expect(await screen.findByRole('dialog')).toBeInTheDocument()
})
