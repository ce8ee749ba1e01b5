import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import '@/app'
import { capitalize } from '@/lib/text'
import { createQueryClient } from '@/data/api/query-client'
import { linkedRow } from '@/lib/validation/rules'
import { Backend, makeUser, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { anyResource, makeRow } from '../../../tests/support/samples'
import { links, resources, type ResourceTag } from '@/lib/resources'
import { LinkField } from './field'
import { FilterLinked } from './filter'
import { useZodForm } from '@/components/form/use-form'

test('links lead to resources and accounts', () => {
  const tables = new Set<string>([...resources.map(({ tag }) => tag), 'users'])
  expect(links.filter(({ to }) => !tables.has(to))).toEqual([])
})

const schema = z.object({ row_id: linkedRow('Row is required') })

describe.each(anyResource)('a link to $table', ({ table, fields, searched }) => {
  const [name, other = ''] = searched
  const labelOf = (field: string) => fields.find((one) => one.name === field)?.label ?? ''
  const makeNamed = (title: string, values = {}) => makeRow(table, { [name]: title, ...values })

  async function open(linked = '') {
    const backend = new Backend()
    backend.user = makeUser()
    localStorage.setItem('access_token', backend.token)
    backend.rows[table] = [
      makeNamed('Anchor'),
      makeNamed('Bell', { [other]: 'It hangs on the tower beside the ánchor of a ship' }),
      ...Array.from({ length: 30 }, (_, index) => makeNamed(`Chain ${index}`)),
      makeNamed('Zither'),
    ]
    network.use(...backend.handlers)
    const found = backend.rowsOf(table).find((row) => row[name] === linked)
    const onRead = vi.fn<(values: { row_id: string }) => void>()

    function Form() {
      const form = useZodForm(schema, { row_id: found?.id ?? linked })
      return (
        <form>
          <LinkField control={form.control} name="row_id" label="Row" to={table as ResourceTag} required />
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
      const id = onRead.mock.lastCall?.[0].row_id
      return backend.rowsOf(table).find((row) => row.id === id)?.[name] ?? id
    }
    return { actor, read, backend, field: screen.getByRole('combobox', { name: 'Row' }) }
  }

  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)

  test('a linked row is searched on the server, beyond the first ones, and chosen by keys', async () => {
    const { actor, field, read } = await open()
    await actor.click(field)
    await waitFor(() => expect(options()).toHaveLength(20))
    expect(screen.getByRole('status')).toHaveTextContent('The first 20 of 33')
    await actor.type(field, 'zit')
    await waitFor(() => expect(options()).toEqual(['Zither']))
    expect(requestsTo(`GET /${table}/`).at(-1)?.query).toBe('?q=zit&limit=20')
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
    expect(await screen.findByText('Row is required')).toBeInTheDocument()
    expect(field).toHaveAccessibleDescription('Row is required')
    expect(await read()).toBe('')
  })

  test('a linked row that cannot be read stays linked', async () => {
    const missing = crypto.randomUUID()
    const { field, read } = await open(missing)
    await waitFor(() => expect(field).toHaveAttribute('placeholder', 'Not available'))
    expect(field).toHaveValue('')
    expect(await read()).toBe(missing)
  })

  test.skipIf(other === '')('a row is found by another field, which is named', async () => {
    const { actor, field } = await open('Anchor')
    expect(field).toHaveAttribute('placeholder', `Search ${table}`)
    await waitFor(() => expect(field).toHaveValue('Anchor'))
    await actor.clear(field)
    await actor.type(field, 'anchor')
    await waitFor(() => expect(options()).toEqual(['Anchor', `Bell${labelOf(other)}: … beside the ánchor of a ship`]))
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
    network.use(http.get(`*/${table}/`, () => refusal(400, 'Bad Request')))
    await actor.click(field)
    expect(await screen.findByText(`${capitalize(table)} could not be searched.`)).toBeInTheDocument()
  })
})

test.each(anyResource)(
  'rows are filtered by one of $table that is picked, named, and removed again',
  async ({ table, searched: [name] }) => {
    const backend = new Backend()
    backend.user = makeUser()
    localStorage.setItem('access_token', backend.token)
    const bell = makeRow(table, { [name]: 'Bell' })
    backend.rows[table] = [makeRow(table, { [name]: 'Anchor' }), bell]
    network.use(...backend.handlers)
    const onChoose = vi.fn<(id: string | undefined) => void>()

    function Filter() {
      const [value, setValue] = useState<string>()
      const choose = (id: string | undefined) => {
        onChoose(id)
        setValue(id)
      }
      return <FilterLinked label="Row" to={table as ResourceTag} value={value} onChoose={choose} />
    }

    render(
      <QueryClientProvider client={createQueryClient()}>
        <Filter />
      </QueryClientProvider>,
    )
    const actor = userEvent.setup()
    const field = screen.getByRole('combobox', { name: 'Row' })
    await actor.type(field, 'bel')
    await actor.click(await screen.findByRole('option', { name: 'Bell' }))
    expect(onChoose).toHaveBeenLastCalledWith(bell.id)
    expect(field).toHaveValue('Bell')
    const remove = screen.getByRole('button', { name: 'Remove filter' })
    expect(remove).toHaveAccessibleDescription('Row')
    await actor.click(remove)
    await waitFor(() => expect(field).toHaveValue(''))
    expect(onChoose).toHaveBeenLastCalledWith(undefined)
    expect(field).toHaveFocus()
  },
)
