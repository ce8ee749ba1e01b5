import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { message } from '../../support/responses'
import { makeUser, manyUsers, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'
import { itemsPath } from '../../support/items/rows'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const grace = () => makeUser({ email: 'grace@example.com', full_name: 'Grace' })

async function open(url: string, users = [grace()]) {
  const app = await renderApp({ url, user: root, prepare: (backend) => backend.users.push(...users) })
  const choose = async (action: string, row = 'grace@example.com') => {
    await app.actor.click(await screen.findByRole('button', { name: `Actions for ${row}` }))
    await app.actor.click(await screen.findByRole('menuitem', { name: action }))
    return screen.findByRole('dialog')
  }
  return { ...app, users, choose, href: () => app.router.state.location.href }
}

const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

describe('a dialog in the URL', () => {
  test('a click opens it with a new history entry, and Back closes it; the page of the list stays', async () => {
    const { actor, router, href } = await open('/users?page=2', manyUsers(51))
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    await screen.findByRole('dialog', { name: 'Add User' })
    expect(href()).toBe('/users?page=2&add')
    expect(router.history.length).toBe(2)
    act(() => router.history.back())
    await noDialog()
    expect(href()).toBe('/users?page=2')
  })

  test('closing it goes back, so Forward reopens it and history entries do not accumulate', async () => {
    const { actor, router, href } = await open('/users')
    const button = await screen.findByRole('button', { name: 'Add User' })
    for (let round = 0; round < 2; round += 1) {
      await actor.click(button)
      await actor.type(await screen.findByLabelText('Full Name'), 'Forgotten')
      await actor.keyboard('{Escape}')
      await noDialog()
      await waitFor(() => expect(href()).toBe('/users'))
    }
    expect(router.history.length).toBe(2)
    act(() => router.history.forward())
    expect(await screen.findByLabelText('Full Name')).toHaveValue('')
  })

  test.each([
    ['/users?add', 'Add User'],
    ['/users?add=', 'Add User'],
    ['/users?edit=ID', 'Edit User'],
    ['/users?delete=ID', 'Delete User'],
    ['/users?page=1&add&edit=ID&delete=ID', 'Add User'],
  ])('%s opens it from a link, and closing it replaces the URL', async (url, name) => {
    const row = grace()
    const { actor, router, href } = await open(url.replaceAll('ID', row.id), [row])
    expect(await screen.findByRole('dialog', { name })).toBeInTheDocument()
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(href()).toMatch(/^\/users(\?page=1)?$/))
    expect(router.history.length).toBe(1)
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus())
  })

  test('opening it neither moves the focus to the heading of the page nor announces the page', async () => {
    const { actor } = await open('/users')
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    await screen.findByRole('dialog')
    expect(document.querySelector('[aria-live=polite]')).toBeEmptyDOMElement()
    expect(screen.getByLabelText(/^Email/)).toHaveFocus()
  })

  test.each([
    [404, 'User not found'],
    [422, 'Not a UUID'],
  ])('a %i for its id closes it with a toast', async (status, detail) => {
    const { id } = grace()
    const app = await renderApp({
      url: `/users?edit=${id}`,
      user: root,
      prepare: () => network.use(http.get(`*/users/${id}`, () => refusal(status, detail))),
    })
    await expectToast('This user no longer exists.', 'error')
    await waitFor(() => expect(app.router.state.location.href).toBe('/users'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test.each([
    [`${itemsPath}?edit=.`, 'This item'],
    [`${itemsPath}?edit=export`, 'This item'],
    [`${itemsPath}?delete=export`, 'This item'],
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
    const { actor, users } = await open('/users')
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    if (users[0]) users[0].full_name = 'Changed since'
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const name = await screen.findByLabelText('Full Name')
    await waitFor(() => expect(name).toHaveValue('Changed since'))
  })

  test('an open menu reads its row once, even if the row renders again', async () => {
    const { actor, backend, queryClient } = await open('/users')
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    const id = backend.users[0]?.id
    await waitFor(() => expect(requestsTo(`GET /users/${id}`)).toHaveLength(1))
    if (backend.users[0]) backend.users[0].full_name = 'New'
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await act(() => queryClient.invalidateQueries())
    await expectRow({ 'Full Name': 'New' })
    expect(requestsTo(`GET /users/${id}`)).toHaveLength(1)
  })

  test('Edit of a row that was deleted since the menu has read it closes with a toast', async () => {
    const { actor, backend, href } = await open('/users')
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    await waitFor(() => expect(requestsTo(`GET /users/${backend.users[0]?.id}`)).toHaveLength(1))
    backend.users = []
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await expectToast('This user no longer exists.', 'error')
    await waitFor(() => expect(href()).toBe('/users'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('Delete from a link loads the name', async () => {
    const row = grace()
    const { actor } = await open(`/users?page=1&delete=${row.id}`, [row])
    expect(await screen.findByRole('dialog')).toHaveAccessibleDescription(/“.*Grace.*”/)
    await actor.keyboard('{Escape}')
    await noDialog()
  })

  test('/settings?tab=dangerzone&delete opens the dialog to delete the account; no other tab does', async () => {
    const app = await renderApp({ url: '/settings?tab=dangerzone&delete', user: makeUser() })
    expect(await screen.findByRole('dialog', { name: 'Delete Account' })).toBeInTheDocument()
    await app.actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(app.router.state.location.href).toBe('/settings?tab=dangerzone'))
    await act(() => app.router.navigate({ href: '/settings?tab=general&delete' }))
    expect(app.router.state.matches.at(-1)?.search).toMatchObject({ tab: 'general', delete: undefined })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('closing it returns the focus to the clicked button, even if the browser did not focus the button', async () => {
    const { actor } = await open('/users')
    const button = await screen.findByRole('button', { name: 'Add User' })
    // Safari does not focus a clicked button.
    act(() => button.click())
    expect(button).not.toHaveFocus()
    await screen.findByRole('dialog')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })

  test('Escape returns the focus to the menu of the row', async () => {
    const { actor, choose } = await open('/users')
    await choose('Edit')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for grace@example.com' })).toHaveFocus())
  })

  test('a focus that moves as soon as the dialog has closed stays', async () => {
    const { actor, choose } = await open('/users')
    const dialog = await choose('Edit')
    const box = screen.getByRole('searchbox', { hidden: true })
    const observer = new MutationObserver(() => {
      if (dialog.isConnected) return
      observer.disconnect()
      box.focus()
    })
    observer.observe(document.body, { childList: true })
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(box).toHaveFocus())
    // The dialog returns the focus in a later task.
    await new Promise((resolve) => setTimeout(resolve))
    await new Promise((resolve) => setTimeout(resolve))
    expect(box).toHaveFocus()
  })

  test('a late response to another dialog does not take the focus from the opener', async () => {
    const { actor, choose } = await open('/users')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.delete('*/users/:id', () => held.then(() => message('Deleted'))))
    const dialog = await choose('Delete')
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await actor.keyboard('{Escape}')
    await noDialog()
    const button = screen.getByRole('button', { name: 'Add User' })
    await actor.click(button)
    await screen.findByRole('dialog', { name: 'Add User' })
    release()
    await expectToast('The user was deleted successfully', 'success')
    await actor.keyboard('{Escape}')
    await noDialog()
    await waitFor(() => expect(button).toHaveFocus())
  })
})

describe('after a save', () => {
  test('a late success closes only its own dialog, not one that was opened later', async () => {
    const users = [grace(), makeUser({ email: 'ada@example.com', full_name: null })]
    const { actor, choose } = await open('/users', users)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.patch(`*/users/${users[0]?.id}`, () => held))
    await actor.type(within(await choose('Edit')).getByLabelText('Full Name'), ' Hopper')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await actor.keyboard('{Escape}')
    await noDialog()
    const name = within(await choose('Edit', 'ada@example.com')).getByLabelText('Full Name')
    await actor.type(name, 'half writ')
    release()
    await expectToast('User updated successfully.')
    await actor.type(name, 'ten')
    expect(name).toBeInTheDocument()
    expect(name).toHaveValue('half written')
  })

  test('the list shows the response before it is reloaded, and editing again is no conflict', async () => {
    const { actor, backend, choose } = await open('/users')
    const openEdit = async () => within(await choose('Edit')).getByLabelText('Full Name')
    await actor.type(await openEdit(), ' 2')
    network.use(http.get('*/users/', () => new Promise<never>(() => undefined)))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await noDialog()
    await expectRow({ 'Full Name': 'Grace 2' })
    const name = await openEdit()
    expect(name).toHaveValue('Grace 2')
    await actor.type(name, '3')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await noDialog()
    expect(backend.users[0]?.full_name).toBe('Grace 23')
    expect(requestsTo(`PATCH /users/${backend.users[0]?.id}`)).toHaveLength(2)
  })
})

describe('a deletion', () => {
  async function confirm(row = grace()) {
    const app = await open(`/users?delete=${row.id}`, [row])
    const dialog = await screen.findByRole('dialog', { name: 'Delete User' })
    return { ...app, row, dialog, button: within(dialog).getByRole('button', { name: 'Delete' }) }
  }

  test('is sent once, even after several clicks', async () => {
    const { row, button } = await confirm()
    act(() => {
      button.click()
      button.click()
    })
    await expectToast('The user was deleted successfully')
    act(() => button.click())
    await noDialog()
    expect(requestsTo(`DELETE /users/${row.id}`)).toHaveLength(1)
    expect(screen.queryByText('An error occurred while deleting the user')).not.toBeInTheDocument()
  })

  test('of a row that no longer exists counts as successful', async () => {
    const { actor, backend, button } = await confirm()
    backend.users.length = 0
    await actor.click(button)
    await expectToast('The user was deleted successfully', 'success')
    await noDialog()
  })
  test('that fails while offline adds that to the message of SPEC 8', async () => {
    const { actor, button } = await confirm()
    network.use(http.delete('*/users/:id', () => HttpResponse.error()))
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await actor.click(button)
    await expectToast('An error occurred while deleting the user', 'error')
    await expectToast('You are offline.', 'error')
  })

  test('names the row as the list shows it, although older lists have another name', async () => {
    const { actor, choose, queryClient, router, users } = await open('/users')
    // Opening the menu prefetches the row.
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    await actor.keyboard('{Escape}')
    Object.assign(users[0] ?? {}, { full_name: 'Final' })
    await act(() => router.navigate({ to: '/users', search: { sort: 'email' } }))
    await expectRow({ 'Full Name': 'Final' })
    expect(await choose('Delete')).toHaveTextContent(/“.*Final.*”/)
  })

  test('isolates a name with a right-to-left override from its warning', async () => {
    const full_name = '\u202Egnihton tsuj'
    const { dialog } = await confirm(makeUser({ full_name }))
    expect(within(dialog).getByText((text) => text.includes(full_name)).tagName).toBe('BDI')
  })
})
