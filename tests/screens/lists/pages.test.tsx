import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, manyUsers } from '../../support/backend'
import { stubConnection } from '../../support/connection'
import { network, requestsTo } from '../../support/network'
import { expectRow, renderApp, roundTrip, setScreenWidth } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', is_superuser: true })

const open = (url: string, count: number) =>
  renderApp({ url, user: root, prepare: ({ users }) => users.push(...manyUsers(count)) })

const queries = () => requestsTo('GET /users/').map(({ query }) => query)

const readNothingAhead = () => stubConnection({ saveData: true })

describe('the pages of a list', () => {
  test('SPEC 2, 7: have 50 rows; one past the end redirects to the last one, and Back does not return to it', async () => {
    const { router } = await open('/users?page=9', 120)
    await expectRow({ 'Full Name': 'User 119' })
    expect(router.state.location.href).toBe('/users?page=3')
    expect(router.history.length).toBe(1)
    expect(queries().slice(0, 2)).toEqual(['?skip=400&limit=50', '?skip=100&limit=50'])
    expect(screen.getByRole('link', { name: 'Page 3' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('aria-disabled', 'true')
  })

  test('SPEC 4: the previous page stays while the next one loads', async () => {
    readNothingAhead()
    const { actor } = await open('/users', 60)
    await expectRow({ 'Full Name': 'User 0' })
    expect(screen.getByRole('link', { name: 'Previous page' })).toHaveAttribute('aria-disabled', 'true')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.get('*/users/', () => held))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(queries()).toHaveLength(2))
    await expectRow({ 'Full Name': 'User 0' })
    release()
    await expectRow({ 'Full Name': 'User 59' })
    expect(screen.getByRole('link', { name: 'Next page' })).toHaveFocus()
    expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('tabindex', '-1')
    expect(screen.getByRole('link', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
    expect(screen.queryByText('User 0')).not.toBeInTheDocument()
  })

  test('a late response does not replace the page that was opened meanwhile', async () => {
    readNothingAhead()
    const { actor, router } = await open('/users', 60)
    await expectRow({ 'Full Name': 'User 0' })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.get('*/users/', () => held, { once: true }))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(queries()).toHaveLength(2))
    router.history.back()
    await waitFor(() => expect(screen.getByRole('link', { name: 'Page 1' })).toHaveAttribute('aria-current', 'page'))
    release()
    await roundTrip()
    await expectRow({ 'Full Name': 'User 0' })
    expect(screen.queryByText('User 59')).not.toBeInTheDocument()
  })

  test('?page=1 is the same list as no page, and stays in the URL', async () => {
    const { actor, router, queryClient } = await open('/users', 60)
    await expectRow({ 'Full Name': 'User 0' })
    const lists = () =>
      queryClient.getQueryCache().findAll({ predicate: ({ queryKey }) => 'query' in Object(queryKey[0]) })
    await waitFor(() => expect(lists()).toHaveLength(2))
    await actor.click(screen.getByRole('link', { name: 'Page 1' }))
    await waitFor(() => expect(router.state.location.href).toBe('/users?page=1'))
    await roundTrip()
    expect(lists()).toHaveLength(2)
    expect(new Set(queries())).toEqual(new Set(['?skip=0&limit=50', '?skip=50&limit=50']))
    await actor.click(screen.getByRole('button', { name: 'Full Name' }))
    await waitFor(() => expect(router.state.location.href).toBe('/users?sort=full_name'))
  })

  test.each(['0', 'x', '1.5', '-3'])('SPEC 2: ?page=%s is page 1', async (page) => {
    await open(`/users?page=${page}`, 0)
    await waitFor(() => expect(queries()).toEqual(['?skip=0&limit=50']))
  })

  test('have links above the rows on a phone, too, and a field for the number', async () => {
    setScreenWidth(390)
    const { actor, router } = await open('/users', 260)
    await expectRow({ 'Full Name': 'User 0' })
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
      expect(router.state.location.href).toBe(`/users?page=${page}`)
    }
    act(() => setScreenWidth(1280))
    expect(above).not.toBeInTheDocument()
  })

  test('have no links above the rows if there is only one', async () => {
    setScreenWidth(390)
    await open('/users', 3)
    await expectRow({ 'Full Name': 'User 0' })
    expect(screen.queryByRole('navigation', { name: /above/ })).not.toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Page, of 1' })).toBeDisabled()
  })

  test('after the last row of the last one is deleted, the one before it opens', async () => {
    const { actor, router } = await open('/users?page=2', 51)
    await actor.click(await screen.findByRole('button', { name: 'Actions for u50@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog', { name: 'Delete User' })
    const shown = new Set<boolean>()
    const observer = new MutationObserver(() => shown.add(screen.queryByText('No users found') !== null))
    observer.observe(document.body, { childList: true, subtree: true })
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(router.state.location.href).toBe('/users?page=1'))
    await expectRow({ 'Full Name': 'User 49' })
    observer.disconnect()
    // The empty state was never shown, not even for a moment.
    expect([...shown]).toEqual([false])
    expect(screen.queryByText('User 50')).not.toBeInTheDocument()
  })
})
