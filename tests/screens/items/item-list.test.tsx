import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, never } from '../../support/backend'
import { itemsIn, makeItem, manyItems } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const user = makeUser()

describe('/items', () => {
  test('SPEC 2: an empty list says so, and has exactly one Add Item button', async () => {
    await renderApp({ url: '/items', user })
    expect(await screen.findByRole('heading', { name: 'No items' })).toBeInTheDocument()
    expect(screen.getByText('Add a new item to get started')).toBeInTheDocument()
    expect(screen.getAllByRole('button', { name: 'Add Item' })).toHaveLength(1)
    expect(document.title).toBe('Items - Steward')
  })

  test('SPEC 2: the table shows the last four characters of the id, and N/A for a missing description', async () => {
    const item = makeItem({ id: '01890000-0000-7000-8000-00000000beef', title: 'Notes', description: null })
    await renderApp({ url: '/items', user, prepare: (backend) => itemsIn(backend).push(item) })
    await screen.findByRole('table', { name: 'Items' })
    await expectRow({ ID: 'beef', Title: 'Notes', Description: 'N/A' })
  })

  test('SPEC 2: nothing renders while the list is loading', async () => {
    await renderApp({ url: '/items', user, prepare: () => network.use(http.get('*/items/', never)) })
    expect(await screen.findByRole('main')).toBeEmptyDOMElement()
    expect(requestsTo('GET /items/')).toHaveLength(1)
  })

  test('SPEC 7: page N is requested with skip (N-1)*50 and limit 50', async () => {
    await renderApp({ url: '/items?page=3', user, prepare: (backend) => itemsIn(backend).push(...manyItems(101)) })
    await waitFor(() => expect(requestsTo('GET /items/')).toMatchObject([{ query: '?skip=100&limit=50' }]))
  })

  test('an item is added in the dialog and appears in the list', async () => {
    const { actor } = await renderApp({ url: '/items', user })
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add Item' })
    const title = within(dialog).getByLabelText(/^Title/)
    const save = within(dialog).getByRole('button', { name: 'Save' })
    expect(title).toHaveFocus()
    expect(save).toBeDisabled()
    await actor.type(title, '  Garden plan ')
    await actor.type(within(dialog).getByLabelText('Description'), 'Beds and paths')
    await waitFor(() => expect(save).toBeEnabled())
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await expectToast('Item created successfully.')
    await waitFor(() => expectRow({ Title: 'Garden plan', Description: 'Beds and paths' }))
    expect(requestsTo('POST /items/').map(({ body }) => body)).toEqual([
      expect.objectContaining({ title: 'Garden plan', description: 'Beds and paths' }),
    ])
  })

  test('SPEC 5: a title is required; SPEC 4: closing the dialog resets the form', async () => {
    const { actor } = await renderApp({ url: '/items', user })
    const opener = await screen.findByRole('button', { name: 'Add Item' })
    await actor.click(opener)
    await actor.type(await screen.findByLabelText(/^Title/), '   ')
    await actor.tab()
    expect(await screen.findByText('Title is required.')).toBeInTheDocument()
    await actor.type(screen.getByLabelText('Description'), 'to be forgotten')
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await waitFor(() => expect(opener).toHaveFocus())

    await actor.click(opener)
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('')
    expect(screen.getByLabelText('Description')).toHaveValue('')
    expect(screen.queryByText('Title is required.')).not.toBeInTheDocument()
  })
})
