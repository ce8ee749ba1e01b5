import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { makeUser, manyUsers, never } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, listLoaded, renderApp, roundTrip } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = () => makeUser({ email: 'grace@example.com', full_name: 'Grace' })

async function open(url: string) {
  const app = await renderApp({ url, user: root, prepare: ({ users }) => users.push(grace(), root) })
  await listLoaded()
  // Blocks reads, so that later contents come from the responses to changes.
  network.use(http.get('*/users/', never))
  const choose = async (row: string, action: string) => {
    await app.actor.click(screen.getByRole('button', { name: `Actions for ${row}` }))
    await app.actor.click(await screen.findByRole('menuitem', { name: action }))
    return within(await screen.findByRole('dialog'))
  }
  return { ...app, choose }
}

async function add(actor: UserEvent, email: string): Promise<void> {
  await actor.click(screen.getByRole('button', { name: 'Add User' }))
  await actor.type(await screen.findByLabelText(/^Email/), email)
  for (const label of [/^Password/, /^Confirm/]) await actor.type(screen.getByLabelText(label), 'correct horse')
  await actor.keyboard('{Enter}')
  await expectToast('User created successfully.')
}

const reads = (path: string) => requestsTo(`GET ${path}`).length

test('a saved name is in its row when the toast appears, and the list is read once afterwards', async () => {
  const { actor, backend, choose } = await open('/users')
  const dialog = await choose('grace@example.com', 'Edit')
  await actor.type(dialog.getByLabelText('Full Name'), ' Hopper')
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
  await expectToast('User updated successfully.')
  await expectRow({ 'Full Name': 'Grace Hopper' })
  await roundTrip()
  expect([reads('/users/'), reads(`/users/${backend.users[0]?.id}`)]).toEqual([2, 1])
})

test.each([
  ['Deactivate', 'deactivated.', { Status: 'Inactive' }],
  ['Make Superuser', 'is a superuser now.', { Role: 'Superuser' }],
])('%s is in its row when the toast appears, and the list is read once afterwards', async (action, done, cells) => {
  const { actor, choose } = await open('/users')
  const dialog = await choose('grace@example.com', action)
  await actor.click(dialog.getByRole('button', { name: action }))
  await expectToast(`\u2068grace@example.com\u2069 ${done}`)
  await expectRow({ 'Full Name': 'Grace', ...cells })
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('a row that does not match the filter any more stays until the list is read', async () => {
  const { actor, choose } = await open('/users?status=active&sort=full_name')
  const dialog = await choose('grace@example.com', 'Deactivate')
  await actor.click(dialog.getByRole('button', { name: 'Deactivate' }))
  await expectToast('\u2068grace@example.com\u2069 deactivated.')
  await expectRow({ 'Full Name': 'Grace', Status: 'Inactive' })
  expect(screen.getByRole('status')).toHaveTextContent('1–2 of 2 users')
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('a change on a user’s page is in the list before it is read again', async () => {
  const { actor, router } = await open('/users')
  await actor.click(screen.getByRole('link', { name: 'Grace' }))
  await actor.click(await screen.findByRole('button', { name: 'More actions' }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Deactivate' }))
  await expectToast('\u2068grace@example.com\u2069 deactivated.')
  expect(await screen.findByText('Inactive')).toBeInTheDocument()
  act(() => router.history.back())
  await expectRow({ 'Full Name': 'Grace', Status: 'Inactive' })
})

test('a deleted row disappears at once, and the list is read once afterwards', async () => {
  const { actor, choose } = await open('/users')
  const dialog = await choose('grace@example.com', 'Delete')
  await actor.click(dialog.getByRole('button', { name: 'Delete' }))
  await expectToast('The user was deleted successfully')
  await waitFor(() => expect(screen.queryByText('Grace')).not.toBeInTheDocument())
  expect(screen.getByRole('status')).toHaveTextContent('1 user')
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('selected rows that are deleted disappear at once, and the list is read once afterwards', async () => {
  const { actor } = await open('/users')
  await actor.click(screen.getByRole('checkbox', { name: 'Select grace@example.com' }))
  await actor.click(screen.getByRole('button', { name: /^More actions on/ }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Delete/ }))
  await expectToast('1 user was deleted.')
  await waitFor(() => expect(screen.queryByText('Grace')).not.toBeInTheDocument())
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('selected users are shown as inactive when the toast appears, and the list is read once afterwards', async () => {
  const { actor } = await open('/users')
  await actor.click(screen.getByRole('checkbox', { name: 'Select grace@example.com' }))
  await actor.click(screen.getByRole('button', { name: 'Deactivate' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Deactivate/ }))
  await expectToast('1 user deactivated.')
  await expectRow({ 'Full Name': 'Grace', Status: 'Inactive' })
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('an added row is shown from the response, and the list is read once afterwards', async () => {
  const { actor } = await open('/users')
  await add(actor, 'eve@example.com')
  const row = await expectRow({ Email: 'eve@example.com' })
  expect(row.rowIndex).toBe(1)
  expect(screen.getByRole('status')).toHaveTextContent('1–3 of 3 users')
  await roundTrip()
  expect(reads('/users/')).toBe(2)
})

test('an added row is not put into a page, filter or sort where it may not belong', async () => {
  const { actor, backend } = await open('/users?sort=email')
  await add(actor, 'zoe@example.com')
  await waitFor(() => expect(backend.users).toHaveLength(3))
  await waitFor(() => expect(reads('/users/')).toBe(2))
  expect(screen.queryByText('zoe@example.com')).not.toBeInTheDocument()
})

test('a prefetch that is under way does not bring back the old row', async () => {
  const { actor, backend } = await renderApp({
    url: '/users?page=2',
    user: root,
    prepare: ({ users }) => users.push(...manyUsers(60)),
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  network.use(http.get('*/users/', ({ request }) => (request.url.includes('skip=0') ? promise : undefined)))
  await waitFor(() => expect(reads('/users/')).toBe(2))
  await actor.click(screen.getByRole('button', { name: 'Actions for u59@example.com' }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await expectToast('The user was deleted successfully')
  backend.users.unshift(makeUser({ full_name: 'Newest' }))
  resolve()
  await actor.click(screen.getByRole('link', { name: 'Previous page' }))
  await expectRow({ 'Full Name': 'Newest' })
})
