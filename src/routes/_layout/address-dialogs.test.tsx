import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { makeItem, makeUser, manyItems, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { expectRow, expectToast, renderApp } from '../../../tests/support/render-app'

const user = makeUser()
const root = makeUser({ email: 'root@example.com', is_superuser: true })
const item = () => makeItem({ title: 'Notes', description: 'Old' })

async function open(url: string, items = [item()]) {
  const app = await renderApp({ url, user, prepare: (backend) => backend.items.push(...items) })
  return { ...app, items, href: () => app.router.state.location.href }
}

const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

describe('a dialog in the address', () => {
  test('opens by a press with an entry of its own, and Back closes it; the page of the list stays', async () => {
    const { actor, router, href } = await open('/items?page=2', manyItems(51))
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await screen.findByRole('dialog', { name: 'Add Item' })
    expect(href()).toBe('/items?page=2&add')
    expect(router.history.length).toBe(2)
    act(() => router.history.back())
    await noDialog()
    expect(href()).toBe('/items?page=2')
  })

  test('that is closed goes back, so that Forward opens it anew and entries do not pile up', async () => {
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
  ])('%s opens it by a link, and closing replaces the address', async (url, name) => {
    const row = item()
    const { actor, router, href } = await open(url.replaceAll('ID', row.id), [row])
    expect(await screen.findByRole('dialog', { name })).toBeInTheDocument()
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(href()).toMatch(/^\/items(\?page=1)?$/))
    expect(router.history.length).toBe(1)
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus())
  })

  test('moves neither the focus of the page nor announces it', async () => {
    const { actor } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await screen.findByRole('dialog')
    expect(document.querySelector('[aria-live=polite]')).toBeEmptyDOMElement()
    expect(screen.getByLabelText(/^Title/)).toHaveFocus()
  })

  test.each([
    [404, 'Item not found'],
    [422, 'Not a UUID'],
  ])('of an id that the API answers with %i closes with a word', async (status, detail) => {
    const app = await renderApp({
      url: '/items?edit=nothing',
      user,
      prepare: () => network.use(http.get('*/items/nothing', () => refusal(status, detail))),
    })
    await expectToast('This item is not there any more.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/items'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('of an id that leads to another path closes with a word', async () => {
    const app = await renderApp({ url: '/items?edit=.', user })
    await expectToast('This item is not there any more.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/items'))
  })

  test.each(['edit', 'delete'])('?%s of one’s own row of users closes with a word', async (kind) => {
    const app = await renderApp({
      url: `/users?${kind}=${root.id}`,
      user: root,
      prepare: (backend) => backend.users.push(root),
    })
    await expectToast('Your own account is changed in the settings.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/users'))
  })

  test('Edit shows what is stored when it opens, not what the list shows', async () => {
    const { actor, items } = await open('/items')
    await actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
    if (items[0]) items[0].title = 'Changed since'
    // Makes the data that the open menu prefetched stale.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('Changed since')
  })

  test('Delete by a link reads the title', async () => {
    const row = item()
    const { actor } = await open(`/items?page=1&delete=${row.id}`, [row])
    expect(await screen.findByRole('dialog')).toHaveAccessibleDescription(/“Notes”/)
    await actor.keyboard('{Escape}')
    await noDialog()
  })

  test('/settings?tab=dangerzone&delete asks whether to delete the account; any other tab does not', async () => {
    const app = await renderApp({ url: '/settings?tab=dangerzone&delete', user })
    expect(await screen.findByRole('dialog', { name: 'Delete Account' })).toBeInTheDocument()
    await app.actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(app.router.state.location.href).toBe('/settings?tab=dangerzone'))
    await act(() => app.router.navigate({ href: '/settings?tab=general&delete' }))
    expect(app.router.state.location.search).toEqual({ tab: 'general' })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('gives the focus to what was pressed, also where the browser did not focus it', async () => {
    const { actor } = await open('/items')
    const button = await screen.findByRole('button', { name: 'Add Item' })
    // As in Safari, a press does not move the focus.
    act(() => button.click())
    expect(button).not.toHaveFocus()
    await screen.findByRole('dialog')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })
})

describe('after a save', () => {
  test('the list shows the answer before it is read again, and Edit is no conflict with oneself', async () => {
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

  test('is sent once, however often one presses', async () => {
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

  test('of what is not there any more counts as done', async () => {
    const { actor, backend, button } = await confirm()
    backend.items.length = 0
    await actor.click(button)
    await expectToast('The item was deleted successfully', 'success')
    await noDialog()
  })
})

describe('a list that cannot be read', () => {
  test.each([
    [404, 1],
    [503, 4],
  ])(
    'while the page loads, by a %i, is asked for %i times in all',
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
      // The page appears after its list has failed.
      await new Promise((resolve) => setTimeout(resolve, 50))
      account.resolve()
      await app
      expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      expect(requestsTo('GET /items/')).toHaveLength(times)
    },
    20_000,
  )

  test('keeps its panel while it is tried again, with the button pending, and is announced once', async () => {
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
    // The same element, as a new live region would be announced again.
    expect(screen.getByRole('alert')).toBe(panel)
  })
})
