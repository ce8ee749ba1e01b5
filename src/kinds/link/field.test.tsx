import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http } from 'msw'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import '@/app'
import { createQueryClient } from '@/data/api/query-client'
import { linkedRow } from '@/lib/validation/rules'
import { Backend, makeItem, makeUser, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { LinkField } from './field'
import { useZodForm } from '@/components/form/use-zod-form'

const schema = z.object({ item_id: linkedRow('Item is required') })

async function open(linked = '') {
  const backend = new Backend()
  backend.user = makeUser()
  localStorage.setItem('access_token', backend.token)
  backend.items = [
    makeItem({ title: 'Anchor' }),
    makeItem({ title: 'Bell', description: 'It hangs on the tower beside the ánchor of a ship' }),
    ...Array.from({ length: 30 }, (_, index) => makeItem({ title: `Chain ${index}` })),
    makeItem({ title: 'Zither' }),
  ]
  network.use(...backend.handlers)
  const found = backend.items.find(({ title }) => title === linked)
  const onRead = vi.fn<(values: { item_id: string }) => void>()

  function Form() {
    const form = useZodForm(schema, { item_id: found?.id ?? linked })
    return (
      <form>
        <LinkField control={form.control} name="item_id" label="Item" to="items" required />
        <button type="button" onClick={() => onRead(form.getValues())}>
          Read
        </button>
      </form>
    )
  }

  render(
    <QueryClientProvider client={createQueryClient()}>
      <Form />
    </QueryClientProvider>,
  )
  const actor = userEvent.setup()
  const read = async () => {
    await actor.click(screen.getByRole('button', { name: 'Read' }))
    const id = onRead.mock.lastCall?.[0].item_id
    return backend.items.find((item) => item.id === id)?.title ?? id
  }
  return { actor, read, backend, field: screen.getByRole('combobox', { name: 'Item' }) }
}

const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

test('a linked row is searched on the server, beyond the first ones, and chosen by keys', async () => {
  const { actor, field, read } = await open()
  await actor.click(field)
  await waitFor(() => expect(options()).toHaveLength(20))
  expect(screen.getByRole('status')).toHaveTextContent('The first 20 of 33')
  await actor.type(field, 'zit')
  await waitFor(() => expect(options()).toEqual(['Zither']))
  expect(requestsTo('GET /items/').at(-1)?.query).toBe('?q=zit&limit=20')
  await actor.keyboard('{Enter}')
  expect(field).toHaveValue('Zither')
  expect(field).toHaveAttribute('aria-expanded', 'false')
  expect(field).toHaveFocus()
  await actor.keyboard('{ArrowDown}{ArrowDown}')
  await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'true'))
  await actor.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(await read()).toBe('Zither')
})

test('the name of a linked row is read, and text that chooses nothing goes', async () => {
  const { actor, field, read } = await open('Bell')
  await waitFor(() => expect(field).toHaveValue('Bell'))
  await actor.type(field, ' anch')
  await actor.tab()
  expect(field).toHaveValue('Bell')
  expect(await read()).toBe('Bell')
  await actor.clear(field)
  await actor.tab()
  expect(await screen.findByText('Item is required')).toBeInTheDocument()
  expect(field).toHaveAccessibleDescription('Item is required')
  expect(await read()).toBe('')
})

test('a linked row that cannot be read stays linked', async () => {
  const missing = crypto.randomUUID()
  const { field, read } = await open(missing)
  await waitFor(() => expect(field).toHaveAttribute('placeholder', 'Not available'))
  expect(field).toHaveValue('')
  expect(await read()).toBe(missing)
})

test('a row is found by another field, which is named', async () => {
  const { actor, field } = await open('Anchor')
  expect(field).toHaveAttribute('placeholder', 'Search items')
  await waitFor(() => expect(field).toHaveValue('Anchor'))
  await actor.clear(field)
  await actor.type(field, 'anchor')
  await waitFor(() => expect(options()).toEqual(['Anchor', 'BellDescription: … beside the ánchor of a ship']))
})

test('the linked row is marked in the list', async () => {
  const { actor, field } = await open('Anchor')
  await waitFor(() => expect(field).toHaveValue('Anchor'))
  await actor.click(field)
  await actor.type(field, '{Backspace}')
  const linked = await screen.findByRole('option', { name: 'Anchor' })
  expect(linked).toHaveAttribute('aria-current', 'true')
  expect(screen.queryAllByRole('option', { current: true })).toEqual([linked])
})

test('a failed search is said', async () => {
  const { actor, field } = await open()
  network.use(http.get('*/items/', () => refusal(400, 'Bad Request')))
  await actor.click(field)
  expect(await screen.findByText('Items could not be searched.')).toBeInTheDocument()
})
