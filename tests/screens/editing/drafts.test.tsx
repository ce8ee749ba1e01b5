import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network } from '../../support/network'
import { endSessionElsewhere, expectRow, expectToast, renderApp } from '../../support/render-app'
import { itemsPath } from '../../support/items/rows'

const ada = makeUser({ email: 'ada@example.com', full_name: 'Ada', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: null })

/** Edits a user whose save is answered by a 401. */
async function loseSessionInForm() {
  const app = await renderApp({ url: '/users', user: ada, prepare: (backend) => backend.users.push({ ...grace }) })
  await app.actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
  await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  await app.actor.type(await screen.findByLabelText('Full Name'), 'A long afternoon’s work')
  network.use(http.patch('*/users/:id', () => refusal(401, 'Could not validate credentials'), { once: true }))
  await app.actor.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByRole('heading', { name: 'Login to your account' })
  return app
}

async function logIn(actor: UserEvent, backend: Backend) {
  await actor.type(screen.getByLabelText(/^Email/), backend.user?.email ?? '')
  await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
  await screen.findByRole('heading', { name: /^Hi/ })
}

const stored = (more: object = {}) =>
  JSON.stringify({
    userId: ada.id,
    title: 'Edit User',
    href: `/users?edit=${grace.id}`,
    changes: { full_name: 'Kept' },
    state: { attempt: { key: '1', sent: [] }, base: {} },
    at: Date.now(),
    ...more,
  })

test.each([
  '{',
  '',
  '[]',
  '7',
  '"text"',
  '{}',
  stored({ changes: null }),
  stored({ changes: ['Kept'] }),
  stored({ state: {} }),
  stored({ state: { attempt: null, base: {} } }),
  stored({ href: 7 }),
  stored({ at: null }),
])('a damaged draft is dropped, and the page works: %s', async (text) => {
  sessionStorage.setItem('draft', text)
  await renderApp({ url: '/', user: ada })
  await screen.findByRole('heading', { name: /^Hi/ })
  expect(screen.queryByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
  expect(sessionStorage.getItem('draft')).toBeNull()
})

test('of a draft of another version, a form takes the fields that it has', async () => {
  const changes = { full_name: 'Kept', email: 7, owner: 'gone', is_new: true }
  sessionStorage.setItem('draft', stored({ changes }))
  const { actor, backend } = await renderApp({
    url: '/',
    user: ada,
    prepare: ({ users }) => void users.push({ ...grace }),
  })
  await actor.click(await screen.findByRole('button', { name: 'Restore' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit User' }))
  await waitFor(() => expect(dialog.getByLabelText('Full Name')).toHaveValue('Kept'))
  expect(dialog.getByLabelText(/^Email/)).toHaveValue('grace@example.com')
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
  await expectToast('User updated successfully.')
  expect(backend.users[0]).toEqual({ ...grace, full_name: 'Kept' })
})

describe('a draft of a form whose session ended', () => {
  test('is offered after the same user has logged in again, and can be saved then', async () => {
    const { actor, backend, router } = await loseSessionInForm()
    await logIn(actor, backend)
    const notice = screen.getByRole('region', { name: 'Unsaved changes' })
    expect(notice).toHaveTextContent('Edit User')
    await actor.click(within(notice).getByRole('button', { name: 'Restore' }))

    const dialog = await screen.findByRole('dialog', { name: 'Edit User' })
    expect(router.state.location.pathname).toBe('/users')
    await waitFor(() => expect(within(dialog).getByLabelText('Full Name')).toHaveValue('A long afternoon’s work'))
    expect(within(dialog).getByLabelText(/^Email/)).toHaveValue('grace@example.com')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expectRow({ Email: 'grace@example.com', 'Full Name': 'A long afternoon’s work' }))
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    expect(sessionStorage.getItem('draft')).toBeNull()
  })

  test('is offered again if its form could not be read', async () => {
    const { actor, backend } = await loseSessionInForm()
    await logIn(actor, backend)
    network.use(
      http.get('*/users/', () => HttpResponse.json({ data: [], count: 0 }), { once: true }),
      http.get(`*/users/${grace.id}`, () => refusal(409, 'Not now'), { once: true }),
    )
    await actor.click(screen.getByRole('button', { name: 'Restore' }))
    await expectToast('Not now', 'error')
    await actor.click(await screen.findByRole('button', { name: 'Restore' }))
    expect(await screen.findByLabelText('Full Name')).toHaveValue('A long afternoon’s work')
  })

  test('stays when another form takes its own text back', async () => {
    const { actor, backend, router } = await loseSessionInForm()
    await logIn(actor, backend)
    await act(() => router.navigate({ to: '/users', search: { add: '' } }))
    await actor.type(await screen.findByLabelText('Full Name'), 'Garden plan{Escape}')
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Garden plan'))
    expect(sessionStorage.getItem('draft')).toContain('A long afternoon')
  })

  test('can be discarded', async () => {
    const { actor, backend } = await loseSessionInForm()
    await logIn(actor, backend)
    await actor.click(screen.getByRole('button', { name: 'Discard' }))
    expect(screen.getByRole('heading', { level: 1 })).toHaveFocus()
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    expect(sessionStorage.getItem('draft')).toBeNull()
  })

  test('contains typed text but no password', async () => {
    const root = makeUser({ email: 'root@example.com', is_superuser: true })
    const { actor } = await renderApp({ url: '/users', user: root, prepare: (backend) => backend.users.push(root) })
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    await actor.type(await screen.findByLabelText(/^Email/), 'new@example.com')
    await actor.type(screen.getByLabelText(/^Password/), 'top secret word')
    await actor.type(screen.getByLabelText(/^Confirm/), 'top secret word')
    await endSessionElsewhere()
    expect(sessionStorage.getItem('draft')).toContain('new@example.com')
    expect(sessionStorage.getItem('draft')).not.toContain('secret')
  })

  test.each([
    [`${itemsPath}?add`, 'Title', 'Add Item'],
    [`/users?page=1&edit=${grace.id}`, 'Email', 'Edit User'],
    ['/users?add=', 'Email', 'Add User'],
    ['/users?invite', 'Email', 'Invite User'],
    [`/users/${ada.id}/?edit=${ada.id}`, 'Email', 'Edit User'],
    ['/settings?tab=general', 'Email', 'User information'],
  ])('of %s has the title of the form', async (url, field, title) => {
    const root = makeUser({ email: 'root@example.com', is_superuser: true })
    const prepare = (backend: Backend) => {
      backend.users.push(root, ada, grace)
    }
    const { actor } = await renderApp({ url, user: root, prepare })
    await actor.type(await screen.findByLabelText(new RegExp(`^${field}`)), 'x')
    await endSessionElsewhere()
    expect(JSON.parse(sessionStorage.getItem('draft') ?? '')).toMatchObject({ title })
  })

  test('is not kept if the dialog was closed before', async () => {
    const { actor, queryClient } = await renderApp({ url: '/users', user: ada })
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    await actor.type(await screen.findByLabelText('Full Name'), 'Never mind')
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    network.use(http.get('*/users/', () => refusal(401, 'Could not validate credentials')))
    await act(() => queryClient.invalidateQueries())
    await screen.findByRole('heading', { name: 'Login to your account' })
    expect(sessionStorage.getItem('draft')).toBeNull()
  })

  test('is not kept if only a password was typed', async () => {
    const { actor } = await renderApp({ url: '/users?add', user: makeUser({ is_superuser: true }) })
    await actor.type(await screen.findByLabelText(/^Password/), 'correct horse')
    await endSessionElsewhere()
    expect(sessionStorage.getItem('draft')).toBeNull()
  })

  test('is deleted by a log-out in another tab, because the next user could read it here', async () => {
    const { actor, backend } = await loseSessionInForm()
    await logIn(actor, backend)
    expect(sessionStorage.getItem('draft')).toContain('A long afternoon')
    act(() => {
      localStorage.removeItem('access_token')
      window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }))
    })
    await screen.findByRole('heading', { name: 'Login to your account' })
    expect(Object.values(sessionStorage).join()).not.toContain('A long afternoon')
  })

  test('is deleted by a log-out', async () => {
    const { actor, backend } = await loseSessionInForm()
    await logIn(actor, backend)
    expect(sessionStorage.getItem('draft')).toContain('A long afternoon')
    await actor.click(screen.getByRole('button', { name: /^A ?Ada|Ada/ }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await screen.findByRole('heading', { name: 'Login to your account' })
    expect(Object.values(sessionStorage).join()).not.toContain('A long afternoon')
  })

  test('is not shown to another user who logs in, and deleted', async () => {
    const { actor, backend } = await loseSessionInForm()
    backend.user = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
    await logIn(actor, backend)
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    expect(Object.values(sessionStorage).join()).not.toContain('A long afternoon')
  })

  test('is not made by a log-out in another tab', async () => {
    const { actor } = await renderApp({ url: '/users?add', user: ada })
    await actor.type(await screen.findByLabelText('Full Name'), 'A secret of Ada')
    act(() => {
      localStorage.removeItem('access_token')
      window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }))
    })
    await screen.findByRole('heading', { name: 'Login to your account' })
    expect(Object.values(sessionStorage).join()).not.toContain('secret')
  })

  test('of the settings is restored, too', async () => {
    const { actor, backend, router } = await renderApp({ url: '/settings', user: ada })
    await actor.type(await screen.findByLabelText('Full Name'), ' Lovelace')
    network.use(http.patch('*/users/me', () => refusal(403, 'No'), { once: true }))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('heading', { name: 'Login to your account' })
    await logIn(actor, backend)
    await actor.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Ada Lovelace'))
    expect(router.state.location.pathname).toBe('/settings')
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
  })

  test('does not revert concurrent changes of other fields', async () => {
    const { actor, backend } = await renderApp({ url: '/settings', user: ada })
    await actor.type(await screen.findByLabelText('Full Name'), ' Lovelace')
    network.use(http.patch('*/users/me', () => refusal(401, 'Could not validate credentials'), { once: true }))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('heading', { name: 'Login to your account' })
    backend.user = { ...ada, email: 'countess@example.com' }
    await logIn(actor, backend)
    await actor.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Ada Lovelace'))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(backend.user).toMatchObject({ full_name: 'Ada Lovelace' }))
    expect(backend.user.email).toBe('countess@example.com')
  })

  test('is a conflict with a concurrent change of the same field', async () => {
    const { actor, backend } = await renderApp({ url: '/settings', user: ada })
    await actor.type(await screen.findByLabelText('Full Name'), ' Lovelace')
    network.use(http.patch('*/users/me', () => refusal(401, 'Could not validate credentials'), { once: true }))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('heading', { name: 'Login to your account' })
    backend.user = { ...ada, full_name: 'Countess' }
    await logIn(actor, backend)
    await actor.click(screen.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Ada Lovelace'))
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(screen.getByText(/changed elsewhere in the meantime/)).toBeInTheDocument())
    expect(backend.user.full_name).toBe('Countess')
  })
})
