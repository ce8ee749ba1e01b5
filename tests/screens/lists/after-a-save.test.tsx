import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { makeItem, makeUser, manyItems, never } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, listLoaded, renderApp, roundTrip } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

async function open(url: string) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(makeUser({ email: 'grace@example.com', full_name: 'Grace' }), root)
      backend.items.push(makeItem({ title: 'Notes' }), makeItem({ title: 'Plan' }))
    },
  })
  await listLoaded()
  // Blocks reads, so that later contents come from the responses to changes.
  network.use(http.get('*/users/', never), http.get('*/items/', never))
  const choose = async (row: string, action: string) => {
    await app.actor.click(screen.getByRole('button', { name: `Actions for ${row}` }))
    await app.actor.click(await screen.findByRole('menuitem', { name: action }))
    return within(await screen.findByRole('dialog'))
  }
  return { ...app, choose }
}

const reads = (path: string) => requestsTo(`GET ${path}`).length

test('a saved title is in its row when the toast appears, and the list is read once afterwards', async () => {
  const { actor, backend, choose } = await open('/items')
  const dialog = await choose('Notes', 'Edit')
  await actor.type(dialog.getByLabelText(/^Title/), ' of May')
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
  await expectToast('Item updated successfully.')
  await expectRow({ Title: 'Notes of May' })
  await roundTrip()
  expect([reads('/items/'), reads(`/items/${backend.items[0]?.id}`)]).toEqual([2, 1])
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
  const { actor, choose } = await open('/items')
  const dialog = await choose('Notes', 'Delete')
  await actor.click(dialog.getByRole('button', { name: 'Delete' }))
  await expectToast('The item was deleted successfully')
  await waitFor(() => expect(screen.queryByText('Notes')).not.toBeInTheDocument())
  expect(screen.getByRole('status')).toHaveTextContent('1 item')
  await roundTrip()
  expect(reads('/items/')).toBe(2)
})

test('selected rows that are deleted disappear at once, and the list is read once afterwards', async () => {
  const { actor } = await open('/items')
  await actor.click(screen.getByRole('checkbox', { name: 'Select Notes' }))
  await actor.click(screen.getByRole('button', { name: 'Delete' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /^Delete/ }))
  await expectToast('1 item was deleted.')
  await waitFor(() => expect(screen.queryByText('Notes')).not.toBeInTheDocument())
  await roundTrip()
  expect(reads('/items/')).toBe(2)
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
  const { actor } = await open('/items')
  await actor.click(screen.getByRole('button', { name: 'Add Item' }))
  await actor.type(await screen.findByLabelText(/^Title/), 'Garden{Enter}')
  await expectToast('Item created successfully.')
  const row = await expectRow({ Title: 'Garden' })
  expect(row.rowIndex).toBe(1)
  expect(screen.getByRole('status')).toHaveTextContent('1–3 of 3 items')
  await roundTrip()
  expect(reads('/items/')).toBe(2)
})

test('an added row is not put into a page, filter or sort where it may not belong', async () => {
  const { actor, backend } = await open('/items?sort=title')
  await actor.click(screen.getByRole('button', { name: 'Add Item' }))
  await actor.type(await screen.findByLabelText(/^Title/), 'Zebra{Enter}')
  await expectToast('Item created successfully.')
  await waitFor(() => expect(backend.items).toHaveLength(3))
  await waitFor(() => expect(reads('/items/')).toBe(2))
  expect(screen.queryByText('Zebra')).not.toBeInTheDocument()
})

test('a prefetch that is under way does not bring back the old row', async () => {
  const { actor, backend } = await renderApp({
    url: '/items?page=2',
    user: root,
    prepare: ({ items }) => items.push(...manyItems(60)),
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  network.use(http.get('*/items/', ({ request }) => (request.url.includes('skip=0') ? promise : undefined)))
  await waitFor(() => expect(reads('/items/')).toBe(2))
  await actor.click(screen.getByRole('button', { name: 'Actions for Item 60' }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await expectToast('The item was deleted successfully')
  backend.items.unshift(makeItem({ title: 'Newest' }))
  resolve()
  await actor.click(screen.getByRole('link', { name: 'Previous page' }))
  await expectRow({ Title: 'Newest' })
})
