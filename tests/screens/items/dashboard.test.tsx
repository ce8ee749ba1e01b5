import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { resources } from '@/lib/resources'
import { type Backend, makeUser } from '../../support/backend'
import { makeItem, manyItems } from '../../support/items/rows'
import { requestsTo } from '../../support/network'
import { renderApp } from '../../support/render-app'

const ada = makeUser({ full_name: 'Ada Lovelace', email: 'ada@example.com' })

const root = makeUser({ full_name: null, email: 'root@example.com', is_superuser: true })

const request = 'GET /users/me/overview'

/** The links to resources of a product, of which the dashboard has the numbers. */
const counted = resources.map(({ tag }) => `/${tag}`).filter((path) => path !== '/items')

async function open({ user = ada, prepare }: { user?: typeof ada; prepare?: (backend: Backend) => void } = {}) {
  const app = await renderApp({ url: '/', user, ...(prepare && { prepare }) })
  await screen.findByRole('heading', { level: 1 })
  return app
}

const content = () => {
  const main = within(screen.getByRole('main'))
  const links = main.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
  // The bars of the charts have no text.
  return links.filter(([text]) => text !== '')
}

describe('the dashboard', () => {
  test('of a user shows the number of items and the five that were edited last, with one request', async () => {
    const item = makeItem({ title: 'Garden plan', description: 'Raised beds' })
    await open({ prepare: (backend) => (backend.rows.items = [item, ...manyItems(1233)]) })
    await screen.findByRole('link', { name: '1,234 items' })
    expect(content().slice(0, 3)).toEqual([
      ['1,234 items', '/items'],
      ['Add Item', '/items?add'],
      [expect.stringMatching(/^Garden plan Raised beds .+ago$/), `/items?edit=${item.id}`],
    ])
    expect(content()).toHaveLength(2 + 5 + counted.length)
    expect(requestsTo(request)).toHaveLength(1)
    expect(requestsTo('GET /items/')).toEqual([])
  })

  test('of a new user shows the first steps', async () => {
    const { actor, router } = await open({ user: { ...ada, full_name: null } })
    const steps = await screen.findByRole('region', { name: 'First steps' })
    expect(within(steps).getAllByRole('link')).toHaveLength(3)
    expect(within(steps).queryByText('(done)')).not.toBeInTheDocument()
    const ofSteps = ['/items?add', '/settings', '/settings?tab=appearance']
    expect(content().map(([, href]) => href)).toEqual([...ofSteps, ...counted])
    await actor.click(within(steps).getByRole('link', { name: /^Add your first item/ }))
    expect(await screen.findByRole('dialog', { name: 'Add Item' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/items')
  })

  test('of a superuser without items also shows an invitation among the first steps, and which are done', async () => {
    await open({ user: { ...root, full_name: 'Root' } })
    const steps = within(await screen.findByRole('region', { name: 'First steps' }))
    expect(steps.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      [expect.stringMatching(/^Add your first item/), '/items?add'],
      [expect.stringMatching(/^Invite a user/), '/users?invite'],
      [expect.stringMatching(/^Add your name \(done\)/), '/settings'],
      [expect.stringMatching(/^Choose a theme/), '/settings?tab=appearance'],
    ])
    expect(steps.getAllByRole('listitem')[0]).toHaveTextContent(/^Set up mail \(done\)/)
  })

  test('of a superuser keeps the first steps above the rest until the password is changed and there are items and users', async () => {
    const steps = () => screen.queryByRole('region', { name: 'First steps' })
    const step = (name: RegExp) =>
      within(steps() ?? document.body)
        .getByText(name)
        .closest('li')
    const { backend, queryClient } = await open({
      user: root,
      prepare: (given) => {
        given.users = [root]
        given.rows.items = manyItems(1)
        Object.assign(given.people, { hasGeneratedPassword: true, hasMail: false })
      },
    })
    await screen.findByRole('region', { name: 'Recently edited' })
    expect(steps()?.nextElementSibling).toBe(screen.getByRole('region', { name: 'Recently edited' }))
    expect(step(/^Add your first item/)).toHaveTextContent('(done)')
    for (const undone of [/^Replace the generated/, /^Set up mail/, /^Invite a user/])
      expect(step(undone)).not.toHaveTextContent('(done)')
    expect(screen.queryByRole('list', { name: 'Numbers' })).not.toBeInTheDocument()

    backend.users.push(ada)
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(step(/^Invite a user/)).toHaveTextContent('(done)'))
    expect(screen.getByRole('list', { name: 'Numbers' })).toBeInTheDocument()

    // The steps of name and theme are optional. A missing mail server leaves a note.
    backend.people.hasGeneratedPassword = false
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(steps()).not.toBeInTheDocument())
    expect(screen.getByText(/^Mail is not set up/)).toBeInTheDocument()
    backend.people.hasMail = true
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(screen.queryByText(/^Mail is not set up/)).not.toBeInTheDocument())
  })

  test('shows an item that was added just before', async () => {
    const { actor } = await open()
    await actor.click(await screen.findByRole('link', { name: /^Add your first item/ }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Garden plan{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] ?? document.body)
    expect(await screen.findByRole('link', { name: '1 item' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: /^Garden plan/ })).toBeInTheDocument()
    expect(requestsTo(request)).toHaveLength(2)
  })

  test('opens the item that was edited last, and shows another one after its edit', async () => {
    const older = makeItem({ title: 'Notes', created_at: '2026-01-01T00:00:00.000Z' })
    const newer = makeItem({ title: 'Garden plan', created_at: '2026-01-02T00:00:00.000Z' })
    const { actor, router } = await open({ prepare: (backend) => (backend.rows.items = [newer, older]) })
    await actor.click(await screen.findByRole('link', { name: /^Garden plan/ }))
    expect(await screen.findByRole('dialog', { name: 'Edit Item' })).toBeInTheDocument()
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('Garden plan')

    await act(() => router.navigate({ to: '/items', search: { edit: older.id } }))
    await waitFor(() => expect(screen.getByLabelText(/^Title/)).toHaveValue('Notes'))
    await actor.type(screen.getByLabelText(/^Title/), ' of May{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] ?? document.body)
    const link = await screen.findByRole('link', { name: /^Notes of May/ })
    expect(link.closest('li')?.previousElementSibling).toBeNull()
    expect(link).toHaveAttribute('href', `/items?edit=${older.id}`)
    const time =
      within(link)
        .getByText(/ago$|now/)
        .getAttribute('datetime') ?? ''
    expect(Math.abs(Date.now() - Date.parse(time))).toBeLessThan(60_000)
  })
})
