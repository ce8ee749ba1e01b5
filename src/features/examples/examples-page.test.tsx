import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { createQueryClient } from '@/data/api/query-client'
import { resources } from '@/data/resources'
import { Backend, makeUser } from '../../../tests/support/backend'
import { makeRow } from '../../../tests/support/samples'
import { network } from '../../../tests/support/network'
import { ExamplesPage } from './examples-page'

function renderPage() {
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterContextProvider router={router}>
        <ExamplesPage />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
  return userEvent.setup()
}

const customers = () => {
  const [, ...rows] = within(screen.getByRole('table', { name: 'Orders' })).getAllByRole('row')
  return rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)
}

test('the examples filter a table and a chart by a select and a day', async () => {
  const actor = renderPage()
  expect(customers()).toEqual(['Ada Lovelace', 'Grace Hopper', 'Alan Turing'])
  fireEvent.change(screen.getByLabelText('Since'), { target: { value: '2026-11-12' } })
  expect(customers()).toEqual(['Grace Hopper', 'Alan Turing'])
  await actor.selectOptions(screen.getByLabelText('State'), 'Paid')
  expect(customers()).toEqual(['Alan Turing'])
  expect(screen.getByText('1 order')).toBeInTheDocument()
  await actor.click(screen.getByRole('button', { name: 'Clear' }))
  expect(customers()).toHaveLength(3)
  expect(screen.getByLabelText('Since')).toHaveValue('')
})

test('a menu that a key opened keeps the focus on the entry that a key toggles', async () => {
  const actor = renderPage()
  const filters = within(screen.getByRole('region', { name: 'Filters' }))
  filters.getByLabelText('Phase').focus()
  await actor.keyboard('{Enter}')
  expect(await screen.findByRole('menuitemcheckbox', { name: 'Open' })).toHaveFocus()
  await actor.keyboard('{ArrowDown}{Enter}')
  const second = screen.getByRole('menuitemcheckbox', { name: 'In Progress' })
  expect(second).toBeChecked()
  expect(second).toHaveFocus()
})

test('each kind of field has a form field, a cell and a filter', async () => {
  const backend = new Backend()
  backend.user = makeUser()
  localStorage.setItem('access_token', backend.token)
  const [linked] = resources
  if (linked) backend.rowsOf(linked.tag).push(makeRow(linked.tag))
  network.use(...backend.handlers)
  const actor = renderPage()
  const form = within(screen.getByRole('form', { name: 'Fields' }))
  await actor.selectOptions(form.getByLabelText('Phase'), 'In Progress')
  await actor.clear(form.getByLabelText('Price'))
  await actor.type(form.getByLabelText('Price'), '7,5')
  fireEvent.change(form.getByLabelText('Due At'), { target: { value: '2027-03-04T05:06' } })
  fireEvent.change(form.getByLabelText('Due On'), { target: { value: '2027-03-04' } })
  await actor.upload(form.getByLabelText('Scan'), new File(['text'], 'notes.txt'))
  await form.findByRole('button', { name: 'notes.txt' })
  if (linked) {
    await actor.click(form.getByLabelText('Parent'))
    await actor.click(await within(await screen.findByRole('listbox')).findByRole('option'))
  }
  await actor.click(form.getByRole('button', { name: 'Save' }))
  const table = () => within(screen.getByRole('table', { name: 'Rows' }))
  for (const text of ['In Progress', '7.50', 'Mar 4, 2027', /^Mar 4, 2027, 5:06\sAM/])
    expect(await table().findByText(text)).toBeInTheDocument()
  expect(table().getByRole('button', { name: 'notes.txt' })).toBeInTheDocument()
  await waitFor(() => expect(table().queryAllByRole('link')).toHaveLength(linked ? 1 : 0))

  const filters = within(screen.getByRole('region', { name: 'Filters' }))
  const rows = () => table().getAllByRole('row').length - 1
  await actor.click(filters.getByLabelText('Phase'))
  await actor.click(await screen.findByRole('menuitemcheckbox', { name: 'Done' }))
  expect(rows()).toBe(0)
  await actor.click(screen.getByRole('menuitemcheckbox', { name: 'In Progress' }))
  expect(rows()).toBe(1)
  await actor.keyboard('{Escape}')
  await actor.selectOptions(filters.getByLabelText('Price'), 'range')
  await actor.type(filters.getByLabelText('From'), '8{Enter}')
  expect(rows()).toBe(0)
})
