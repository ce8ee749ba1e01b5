import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import '@/app'
import { createQueryClient } from '@/data/api/query-client'
import { Backend, makeItem, makeUser } from '../../../tests/support/backend'
import { network } from '../../../tests/support/network'
import { FilterLinked } from './filter'

test('rows are filtered by a row that is picked, named, and removed again', async () => {
  const backend = new Backend()
  backend.user = makeUser()
  localStorage.setItem('access_token', backend.token)
  const bell = makeItem({ title: 'Bell' })
  backend.items = [makeItem({ title: 'Anchor' }), bell]
  network.use(...backend.handlers)
  const onChoose = vi.fn<(id: string | undefined) => void>()

  function Filter() {
    const [value, setValue] = useState<string>()
    const choose = (id: string | undefined) => {
      onChoose(id)
      setValue(id)
    }
    return <FilterLinked label="Item" to="items" value={value} onChoose={choose} />
  }

  render(
    <QueryClientProvider client={createQueryClient()}>
      <Filter />
    </QueryClientProvider>,
  )
  const actor = userEvent.setup()
  const field = screen.getByRole('combobox', { name: 'Item' })
  await actor.type(field, 'bel')
  await actor.click(await screen.findByRole('option', { name: 'Bell' }))
  expect(onChoose).toHaveBeenLastCalledWith(bell.id)
  expect(field).toHaveValue('Bell')
  const remove = screen.getByRole('button', { name: 'Remove filter' })
  expect(remove).toHaveAccessibleDescription('Item')
  await actor.click(remove)
  await waitFor(() => expect(field).toHaveValue(''))
  expect(onChoose).toHaveBeenLastCalledWith(undefined)
  expect(field).toHaveFocus()
})
