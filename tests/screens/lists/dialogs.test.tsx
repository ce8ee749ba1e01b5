import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { message } from '../../support/responses'
import { makeItem, makeUser, manyItems, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp, roundTrip } from '../../support/render-app'

const user = makeUser()
const root = makeUser({ email: 'root@example.com', is_superuser: true })
const item = () => makeItem({ title: 'Notes', description: 'Old' })

async function open(url: string, items = [item()]) {
  const app = await renderApp({ url, user, prepare: (backend) => backend.items.push(...items) })
  return { ...app, items, href: () => app.router.state.location.href }
}

const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

describe('a dialog in the URL', () => {
  test('a click opens it with a new history entry, and Back closes it; the page of the list stays', async () => {
    const { actor, router, href } = await open('/items?page=2', manyItems(51))
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await screen.findByRole('dialog', { name: 'Add Item' })
    expect(href()).toBe('/items?page=2&add')
    expect(router.history.length).toBe(2)
    act(() => router.history.back())
    await noDialog()
    expect(href()).toBe('/items?page=2')
  })

  test('closing it goes back, so Forward reopens it and history entries do not accumulate', async () => {
    const { actor, router, href } = await open('/items')
    const button = await screen.findByRole('button', { name: 'Add Item' })
    for (let round = 0; round < 2; round += 1) {
      await actor.click(button)
      await actor.type(await screen.findByLabelText(/^Title/), 'Forgotten')
      await actor.keyboard('{Escape}')
      await noDialog()
      await waitFor(() => expect(href()).toBe('/items'))
    }
    expect(router.history.length).toBe(2)
    act(() => router.history.forward())
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('')
  })

  test.each([
    ['/items?add', 'Add Item'],
    ['/items?add=', 'Add Item'],
    ['/items?edit=ID', 'Edit Item'],
    ['/items?delete=ID', 'Delete Item'],
    ['/items?page=1&add&edit=ID&delete=ID', 'Add Item'],
  ])('%s opens it from a link, and closing it replaces the URL', async (url, name) => {
    const row = item()
    const { actor, router, href } = await open(url.replaceAll('ID', row.id), [row])
    expect(await screen.findByRole('dialog', { name })).toBeInTheDocument()
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(href()).toMatch(/^\/items(\?page=1)?$/))
    expect(router.history.length).toBe(1)
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus())
  })

  test('opening it neither moves the focus to the heading of the page nor announces the page', async () => {
    const { actor } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await screen.findByRole('dialog')
    expect(document.querySelector('[aria-live=polite]')).toBeEmptyDOMElement()
    expect(screen.getByLabelText(/^Title/)).toHaveFocus()
  })

  test.each([
    [404, 'Item not found'],
    [422, 'Not a UUID'],
  ])('a %i for its id closes it with a toast', async (status, detail) => {
    const app = await renderApp({
      url: `/items?edit=${root.id}`,
      user,
      prepare: () => network.use(http.get(`*/items/${root.id}`, () => refusal(status, detail))),
    })
    await expectToast('This item no longer exists.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/items'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test.each([
    ['/items?edit=.', 'This item'],
    ['/items?edit=export', 'This item'],
    ['/items?delete=export', 'This item'],
    ['/users?edit=export', 'This user'],
    ['/users?delete=export', 'This user'],
    ['/users?resend=export', 'This user'],
    ['/users?deactivate=export', 'This user'],
  ])('%s requests no other path, and closes it with a toast', async (url, subject) => {
    const app = await renderApp({ url, user: root })
    await expectToast(`${subject} no longer exists.`, 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe(url.replace(/\?.*/, '')))
    const [path = '', id = ''] = url.split(/\?\w+=/)
    expect(requestsTo(`GET ${path}/${id === '.' ? '' : id}`)).toHaveLength(id === '.' ? 1 : 0)
  })

  test.each(['edit', 'delete'])('?%s with the own id in the list of users closes it with a toast', async (kind) => {
    const app = await renderApp({
      url: `/users?${kind}=${root.id}`,
      user: root,
      prepare: (backend) => backend.users.push(root),
    })
    await expectToast('Your own account is changed in the settings.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/users'))
  })

  test('Edit shows what is stored at the time of opening as soon as it is read', async () => {
    const { actor, items } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
    if (items[0]) items[0].title = 'Changed since'
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const title = await screen.findByLabelText(/^Title/)
    await waitFor(() => expect(title).toHaveValue('Changed since'))
  })

  test('an open menu reads its row once, even if the row renders again', async () => {
    const { actor, backend, queryClient } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
    const id = backend.items[0]?.id
    await waitFor(() => expect(requestsTo(`GET /items/${id}`)).toHaveLength(1))
    if (backend.items[0]) backend.items[0].description = 'New'
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await act(() => queryClient.invalidateQueries())
    await expectRow({ Description: 'New' })
    expect(requestsTo(`GET /items/${id}`)).toHaveLength(1)
  })

  test('Edit of a row that was deleted since the menu has read it closes with a toast', async () => {
    const { actor, backend, href } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
    await waitFor(() => expect(requestsTo(`GET /items/${backend.items[0]?.id}`)).toHaveLength(1))
    backend.items = []
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await expectToast('This item no longer exists.', 'error')
    await waitFor(() => expect(href()).toBe('/items'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('Delete from a link loads the title', async () => {
    const row = item()
    const { actor } = await open(`/items?page=1&delete=${row.id}`, [row])
    expect(await screen.findByRole('dialog')).toHaveAccessibleDescription(/“Notes”/)
    await actor.keyboard('{Escape}')
    await noDialog()
  })

  test('/settings?tab=dangerzone&delete opens the dialog to delete the account; no other tab does', async () => {
    const app = await renderApp({ url: '/settings?tab=dangerzone&delete', user })
    expect(await screen.findByRole('dialog', { name: 'Delete Account' })).toBeInTheDocument()
    await app.actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(app.router.state.location.href).toBe('/settings?tab=dangerzone'))
    await act(() => app.router.navigate({ href: '/settings?tab=general&delete' }))
    expect(app.router.state.matches.at(-1)?.search).toMatchObject({ tab: 'general', delete: undefined })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('closing it returns the focus to the clicked button, even if the browser did not focus the button', async () => {
    const { actor } = await open('/items')
    const button = await screen.findByRole('button', { name: 'Add Item' })
    // Safari does not focus a clicked button.
    act(() => button.click())
    expect(button).not.toHaveFocus()
    await screen.findByRole('dialog')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })

  test('a late response to another dialog does not take the focus from the opener', async () => {
    const { actor } = await open('/items')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.delete('*/items/:id', () => held.then(() => message('Deleted'))))
    await actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await actor.keyboard('{Escape}')
    await noDialog()
    const button = screen.getByRole('button', { name: 'Add Item' })
    await actor.click(button)
    await screen.findByRole('dialog', { name: 'Add Item' })
    release()
    await expectToast('The item was deleted successfully', 'success')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })
})

describe('after a save', () => {
  test('the list shows the response before it is reloaded, and editing again is no conflict', async () => {
    const { actor, backend } = await open('/items')
    const openEdit = async (name: string) => {
      await actor.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
      await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      return screen.findByLabelText(/^Title/)
    }
    await actor.type(await openEdit('Notes'), ' 2')
    network.use(http.get('*/items/', () => new Promise<never>(() => undefined)))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await noDialog()
    await expectRow({ Title: 'Notes 2' })
    const title = await openEdit('Notes 2')
    expect(title).toHaveValue('Notes 2')
    await actor.type(title, '3')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await noDialog()
    expect(backend.items[0]?.title).toBe('Notes 23')
    expect(requestsTo(`PUT /items/${backend.items[0]?.id}`)).toHaveLength(2)
  })
})

describe('a deletion', () => {
  async function confirm() {
    const row = item()
    const app = await open(`/items?delete=${row.id}`, [row])
    const dialog = await screen.findByRole('dialog', { name: 'Delete Item' })
    return { ...app, row, button: within(dialog).getByRole('button', { name: 'Delete' }) }
  }

  test('is sent once, even after several clicks', async () => {
    const { row, button } = await confirm()
    act(() => {
      button.click()
      button.click()
    })
    await expectToast('The item was deleted successfully')
    act(() => button.click())
    await noDialog()
    expect(requestsTo(`DELETE /items/${row.id}`)).toHaveLength(1)
    expect(screen.queryByText('An error occurred while deleting the item')).not.toBeInTheDocument()
  })

  test('of a row that no longer exists counts as successful', async () => {
    const { actor, backend, button } = await confirm()
    backend.items.length = 0
    await actor.click(button)
    await expectToast('The item was deleted successfully', 'success')
    await noDialog()
  })
})

describe('a list that fails to load', () => {
  test.each([
    [404, 1],
    [503, 4],
  ])(
    'while the page loads, with a %i, is requested %i times in total',
    async (status, times) => {
      const account = Promise.withResolvers<void>()
      const app = renderApp({
        url: '/items',
        user,
        prepare: () =>
          network.use(
            http.get('*/items/', () => refusal(status, 'No')),
            http.get('*/users/me', () => account.promise, { once: true }),
          ),
      })
      await waitFor(() => expect(requestsTo('GET /items/')).toHaveLength(times))
      // The error page appears after the list request has failed.
      await roundTrip()
      account.resolve()
      const { queryClient } = await app
      expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
      // A query that waits for a retry would count as fetching.
      expect(queryClient.isFetching({ queryKey: [{ tags: ['items'] }] })).toBe(0)
      expect(requestsTo('GET /items/')).toHaveLength(times)
    },
    20_000,
  )

  test('while offline shows the panel after the retries, and loads when the browser is online again', async () => {
    const { actor } = await renderApp({
      url: '/',
      user,
      prepare: (backend) => backend.items.push(makeItem({ title: 'Still here' })),
    })
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    network.use(
      http.get('*/items/', () => (navigator.onLine ? undefined : HttpResponse.error())),
      http.head('/', () => HttpResponse.error()),
    )
    act(() => void window.dispatchEvent(new Event('offline')))
    await actor.click(await screen.findByRole('link', { name: 'Items' }))
    const panel = { name: 'Something went wrong!' }
    expect(await screen.findByRole('heading', panel, { timeout: 12_000 })).toBeInTheDocument()
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    expect(await screen.findByText('Still here')).toBeInTheDocument()
  }, 20_000)

  test('keeps its panel during a retry, with the button pending, and is announced once', async () => {
    const app = await renderApp({
      url: '/items',
      user,
      prepare: () => network.use(http.get('*/items/', () => refusal(404, 'No'))),
    })
    const panel = await screen.findByRole('alert')
    const again = screen.getByRole('button', { name: 'Try again' })
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/items/', () => held.promise.then(() => refusal(404, 'No')), { once: true }))
    await app.actor.click(again)
    await waitFor(() => expect(again).toHaveAttribute('aria-busy', 'true'))
    expect(again).toHaveFocus()
    held.resolve()
    await waitFor(() => expect(again).not.toHaveAttribute('aria-busy'))
    expect(requestsTo('GET /items/')).toHaveLength(2)
    // Screen readers would announce a new live region again.
    expect(screen.getByRole('alert')).toBe(panel)
  })
})
