import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { makeUser, never, refusal } from '../../support/backend'
import { itemsIn, makeItem, manyItems } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import {
  queriesOfSession,
  expectRow,
  expectToast,
  renderApp,
  roundTrip,
  setScreenWidth,
} from '../../support/render-app'

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

  test('the menu of a row has the tooltip of an icon', async () => {
    const item = makeItem({ title: 'Notes' })
    const { actor } = await renderApp({ url: '/items', user, prepare: (backend) => itemsIn(backend).push(item) })
    await actor.hover(await screen.findByRole('button', { name: 'Actions for Notes' }))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Actions')
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

  test('SPEC 8: a rejected item shows a toast, and the form keeps its text', async () => {
    const { actor } = await renderApp({ url: '/items', user })
    network.use(
      http.post('*/items/', () =>
        HttpResponse.json({ detail: [{ loc: ['body', 'title'], msg: 'Too grand', type: 'x' }] }, { status: 422 }),
      ),
    )
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Palace')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectToast('Too grand')
    expect(screen.getByLabelText(/^Title/)).toHaveValue('Palace')
  })

  test.each([401, 403])('SPEC 4: a %i ends the session and redirects to the log-in page', async (status) => {
    const { actor, router, queryClient } = await renderApp({ url: '/items', user })
    network.use(http.post('*/items/', () => HttpResponse.json({ detail: 'No' }, { status })))
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Anything')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(queriesOfSession(queryClient)).toEqual([])
  })

  test('SPEC 8: a list that fails to load shows the error panel, and Try again loads it', async () => {
    const refuse = http.get('*/items/', () => HttpResponse.json({ detail: 'Gone' }, { status: 404 }), { once: true })
    const { actor } = await renderApp({ url: '/items', user, prepare: () => network.use(refuse) })
    expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
    expect(screen.queryByText('Not Found')).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Show Error' }))
    expect(screen.getByText('Not Found')).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Hide Error' }))
    expect(screen.queryByText('Not Found')).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'No items' })).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus()
  })

  test('after the first item is added, the focus moves to the heading, because the button of the empty list is gone', async () => {
    const { actor } = await renderApp({ url: '/items', user })
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'First{Enter}')
    await waitFor(() => expectRow({ Title: 'First' }))
    expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus()
  })

  test('a loaded list stays when reloading it fails', async () => {
    const { actor, queryClient } = await renderApp({
      url: '/items',
      user,
      prepare: (backend) => itemsIn(backend).push(makeItem({ title: 'Still here' })),
    })
    await screen.findByText('Still here')
    network.use(http.get('*/items/', () => refusal(404, 'Gone')))
    await act(() => queryClient.invalidateQueries())
    expect(screen.getByText('Still here')).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Add Item' }))
    expect(await screen.findByRole('dialog')).toBeInTheDocument()
  })

  test('while offline, a change fails immediately with a message, and is not sent later', async () => {
    const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    const { actor } = await renderApp({ url: '/items', user })
    network.use(http.post('*/items/', () => HttpResponse.error()))
    act(() => void window.dispatchEvent(new Event('offline')))
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Unsent{Enter}')
    await expectToast('Something went wrong.', 'error')
    online.mockReturnValue(true)
    act(() => void window.dispatchEvent(new Event('online')))
    await roundTrip()
    expect(requestsTo('POST /items/')).toHaveLength(1)
    expect(screen.getByLabelText(/^Title/)).toHaveValue('Unsent')
  })

  describe('pages', () => {
    test('a URL past the end redirects to the last page, and Back does not return to it', async () => {
      const { router } = await renderApp({
        url: '/items?page=9',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(120)),
      })
      await expectRow({ Title: 'Item 120' })
      expect(router.state.location.href).toBe('/items?page=3')
      expect(router.history.length).toBe(1)
      expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
    })

    test('SPEC 4: the previous page stays while the next one loads', async () => {
      const { actor } = await renderApp({
        url: '/items',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(60)),
      })
      await expectRow({ Title: 'Item 1' })
      expect(screen.getByRole('link', { name: 'Previous page' })).toHaveAttribute('aria-disabled', 'true')
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      network.use(http.get('*/items/', () => held))
      await actor.click(screen.getByRole('link', { name: 'Next page' }))
      await expectRow({ Title: 'Item 1' })
      release()
      await waitFor(() => expectRow({ Title: 'Item 60' }))
      expect(screen.getByRole('link', { name: 'Next page' })).toHaveFocus()
      expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('tabindex', '-1')
      expect(screen.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
      expect(screen.queryByText('Item 1')).not.toBeInTheDocument()
    })

    test('a late response does not replace the page that was opened meanwhile', async () => {
      const { actor, router } = await renderApp({
        url: '/items',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(60)),
      })
      await expectRow({ Title: 'Item 1' })
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      network.use(http.get('*/items/', () => held, { once: true }))
      await actor.click(screen.getByRole('link', { name: 'Next page' }))
      router.history.back()
      await waitFor(() => expect(screen.getByRole('link', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page'))
      release()
      await roundTrip()
      await expectRow({ Title: 'Item 1' })
      expect(screen.queryByText('Item 60')).not.toBeInTheDocument()
    })

    test('?page=1 is the same list as no page, and stays in the URL', async () => {
      const { actor, router, queryClient } = await renderApp({
        url: '/items',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(60)),
      })
      await expectRow({ Title: 'Item 1' })
      const lists = () =>
        queryClient.getQueryCache().findAll({ predicate: ({ queryKey }) => 'query' in Object(queryKey[0]) })
      await waitFor(() => expect(lists()).toHaveLength(2))
      await actor.click(screen.getByRole('link', { name: 'Page 1' }))
      await waitFor(() => expect(router.state.location.href).toBe('/items?page=1'))
      await roundTrip()
      expect(lists()).toHaveLength(2)
      expect(new Set(requestsTo('GET /items/').map(({ query }) => query))).toEqual(
        new Set(['?skip=0&limit=50', '?skip=50&limit=50']),
      )
      await actor.click(screen.getByRole('button', { name: 'Title' }))
      await waitFor(() => expect(router.state.location.href).toBe('/items?sort=title'))
    })

    test('a phone has them above the rows, too, and a field for the number', async () => {
      setScreenWidth(390)
      const { actor, router } = await renderApp({
        url: '/items',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(260)),
      })
      await expectRow({ Title: 'Item 1' })
      const above = screen.getByRole('navigation', { name: 'Pagination above the rows' })
      expect(above.compareDocumentPosition(screen.getByRole('table'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
      const field = () => within(above).getByRole('textbox', { name: 'Page, of 6' })
      expect(field()).toHaveValue('1')
      for (const [typed, page] of [
        ['4', 4],
        ['x', 4],
        ['900', 6],
        ['0', 1],
      ] as const) {
        await actor.click(field())
        await actor.keyboard(`${typed}{Enter}`)
        await waitFor(() => expect(field()).toHaveValue(String(page)))
        expect(router.state.location.href).toBe(`/items?page=${page}`)
      }
      act(() => setScreenWidth(1280))
      expect(above).not.toBeInTheDocument()
    })

    test('one page has no links above the rows', async () => {
      setScreenWidth(390)
      await renderApp({ url: '/items', user, prepare: (backend) => itemsIn(backend).push(...manyItems(3)) })
      await expectRow({ Title: 'Item 1' })
      expect(screen.queryByRole('navigation', { name: /above/ })).not.toBeInTheDocument()
      expect(screen.getByRole('textbox', { name: 'Page, of 1' })).toBeDisabled()
    })

    test('the data of a link is preloaded on hover and focus', async () => {
      const { actor } = await renderApp({
        url: '/',
        user,
        prepare: (backend) => itemsIn(backend).push(...manyItems(60)),
      })
      await screen.findByRole('heading', { name: /^Hi/ })
      const queries = () => requestsTo('GET /items/').map(({ query }) => query)
      const link = screen.getByRole('link', { name: 'Items' })
      await actor.hover(link)
      await waitFor(() => expect(queries()).toEqual(['?skip=0&limit=50']))
      await actor.click(link)
      await expectRow({ Title: 'Item 1' })
      act(() => screen.getByRole('link', { name: 'Next page' }).focus())
      await waitFor(() => expect(queries()).toEqual(['?skip=0&limit=50', '?skip=50&limit=50']))
      await actor.keyboard('{Enter}')
      await waitFor(() => expectRow({ Title: 'Item 60' }))
      expect(queries()).toHaveLength(2)
    })

    test.each(['0', 'x', '1.5', '-3'])('SPEC 2: ?page=%s is page 1', async (page) => {
      await renderApp({ url: `/items?page=${page}`, user })
      await waitFor(() => expect(requestsTo('GET /items/')).toMatchObject([{ query: '?skip=0&limit=50' }]))
    })
  })
})
