// React warns of duplicate keys on the console, and unexpected console output fails a test.
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Column } from '@/components/list/column'
import { DataTable } from '@/components/list/data-table'
import { createQueryClient } from '@/data/api/query-client'
import { createAppRouter } from '@/router'
import { type Backend, makeUser } from '../../support/backend'
import { makeEntry } from '../../support/people'
import { renderApp } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', is_superuser: true })

const open = (url: string, prepare?: (backend: Backend) => void) =>
  renderApp({ url, user: root, ...(prepare && { prepare }) })

const inDialog = async () => within(await screen.findByRole('dialog'))

test.each(anyResource)('a deletion of $table with the same name', async ({ table, searched: [name] }) => {
  const { actor } = await open(`/${table}`, (backend) => {
    backend.rows[table] = [makeRow(table, { [name]: 'Plan' }), makeRow(table, { [name]: 'Plan' })]
  })
  await actor.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }))
  await actor.click(await screen.findByRole('button', { name: 'Delete' }))
  expect((await inDialog()).getAllByText('Plan')).toHaveLength(2)
})

test('an activity of two deleted accounts', async () => {
  const gone = () => ({ id: crypto.randomUUID(), email: null })
  await open('/', ({ users, people }) => {
    users.push(root, makeUser({ email: 'ada@example.com' }))
    people.audit = [makeEntry({ action: 'role-change', actor: gone(), subject: gone() })]
  })
  const panel = await screen.findByRole('region', { name: 'Recent activity' })
  expect(panel).toHaveTextContent('Deleted account→ to Deleted account')
})

test('details of an entry of the audit log with the same words', async () => {
  await open('/audit', ({ people }) => {
    people.audit = [makeEntry({ action: 'user-change', details: { team: 'A', filter: { team: 'B' } } })]
  })
  expect((await screen.findByRole('list', { name: 'Details' })).children).toHaveLength(2)
})

test('people of an import with the same address', async () => {
  const { actor } = await open('/users?import')
  const dialog = await inDialog()
  await actor.click(dialog.getByLabelText(/^File content/))
  await actor.paste('email,full_name\nada@example.com,Ada\nada@example.com,Ada\n,Ben\n,Ben')
  await actor.click(dialog.getByRole('button', { name: 'Preview' }))
  await actor.click(await dialog.findByRole('button', { name: 'Invite 1' }))
  expect((await dialog.findByRole('list', { name: 'Invitations' })).children).toHaveLength(4)
})

test('a field that is called like the column of the menus', () => {
  const columns: Column<{ id: string }>[] = [
    { header: 'Actions', cell: () => 'Call' },
    { header: 'Actions', role: 'actions', width: 4.5, cell: () => 'Menu' },
  ]
  render(
    <RouterContextProvider router={createAppRouter(createQueryClient(), createMemoryHistory())}>
      <DataTable label="Calls" columns={columns} rows={[{ id: '1' }]} />
    </RouterContextProvider>,
  )
  expect(screen.getAllByRole('columnheader', { name: 'Actions' })).toHaveLength(2)
})
