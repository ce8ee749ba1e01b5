import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ExamplesPage } from './examples-page'

const customers = () => {
  const [, ...rows] = within(screen.getByRole('table', { name: 'Orders' })).getAllByRole('row')
  return rows.map((row) => within(row).getAllByRole('cell')[0]?.textContent)
}

test('the examples filter a table and a chart by a select and a day', async () => {
  const actor = userEvent.setup()
  const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
  render(
    <RouterContextProvider router={router}>
      <ExamplesPage />
    </RouterContextProvider>,
  )
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
