import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { itemsPath } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import { makeEntry } from '../../support/people'
import { renderApp } from '../../support/render-app'

const ada = makeUser({ full_name: 'Ada Lovelace', email: 'ada@example.com' })
const root = makeUser({ full_name: null, email: 'root@example.com', is_superuser: true })
const request = 'GET /users/me/overview'

async function open({ user = ada, prepare }: { user?: typeof ada; prepare?: (backend: Backend) => void } = {}) {
  const app = await renderApp({ url: '/', user, ...(prepare && { prepare }) })
  await screen.findByRole('heading', { level: 1 })
  return app
}

/** Expects only the two lines of SPEC 2. */
function expectTwoLines(name: string) {
  const main = screen.getByRole('main')
  expect(main).toHaveTextContent(new RegExp(`^Hi, ${name}Welcome back, nice to see you again!$`))
  expect(within(main).queryAllByRole('link')).toEqual([])
}

describe('the dashboard', () => {
  test('SPEC 2: its two lines are shown before the overview loads', async () => {
    await open({ prepare: () => network.use(http.get('*/users/me/overview', never)) })
    expectTwoLines('Ada Lovelace')
    expect(document.title).toBe('Dashboard - Steward')
  })

  test('of a superuser says who did what to whom, and leads to that person', async () => {
    const actor = { id: root.id, email: root.email }
    const gone = { id: 'gone', email: null }
    const at = new Date().toISOString()
    await open({
      user: root,
      prepare: ({ users, people }) => {
        users.push(root, ada)
        people.audit = [
          makeEntry({ at, action: 'invite', actor, subject: { id: 'ben', email: 'ben@example.com' } }),
          makeEntry({ at, action: 'log-in', actor, subject: actor }),
          makeEntry({ at, action: 'log-in', result: 'wrong-password', subject: { id: ada.id, email: ada.email } }),
          makeEntry({ at, action: 'account-delete', actor, subject: gone }),
          makeEntry({ at, action: 'account-delete', actor: gone, subject: gone }),
        ]
      },
    })
    const panel = await screen.findByRole('region', { name: 'Recent activity' })
    const rows = within(panel)
      .getAllByRole('listitem')
      .map((row) => [row.textContent, row.querySelector('a')?.getAttribute('href')])
    expect(rows).toEqual([
      ['Invitation root@example.com→ to ben@example.com now', '/users/ben'],
      ['Log-in root@example.com now', `/users/${root.id}`],
      ['Log-in failed: wrong password ada@example.com now', `/users/${ada.id}`],
      ['Account deleted root@example.com→ to Deleted account now', `/users/${root.id}`],
      ['Account deleted Deleted account now', undefined],
    ])
  })

  test('of a superuser shows an import as one row, and what a command on the server did', async () => {
    const at = new Date().toISOString()
    const actor = { id: root.id, email: root.email }
    const subject = { id: ada.id, email: ada.email }
    await open({
      user: root,
      prepare: ({ users, people }) => {
        users.push(root, ada)
        people.audit = [
          ...Array.from({ length: 40 }, () => makeEntry({ at, action: 'invite', actor, subject })),
          makeEntry({ at, action: 'users-import', actor, subject: actor, details: { action: 'invite', number: 40 } }),
          makeEntry({ at, action: 'role-change', subject, address: 'server' }),
        ]
      },
    })
    const panel = await screen.findByRole('region', { name: 'Recent activity' })
    const rows = within(panel)
      .getAllByRole('listitem')
      .map((row) => [row.textContent, row.querySelector('a')?.getAttribute('href')])
    expect(rows).toEqual([
      ['Users imported (40) root@example.com now', `/audit?actor_id=${root.id}`],
      ['Role changed Server→ to ada@example.com now', `/users/${ada.id}`],
    ])
  })

  test('of the first superuser begins with the generated password and mail', async () => {
    const prepare = ({ people }: Backend) => Object.assign(people, { hasGeneratedPassword: true, hasMail: false })
    const { actor, router } = await open({ user: root, prepare })
    const steps = within(await screen.findByRole('region', { name: 'First steps' }))
    expect(screen.queryByRole('list', { name: 'Numbers' })).not.toBeInTheDocument()
    const [password, mail] = steps.getAllByRole('listitem')
    expect(password).toHaveTextContent(/^Replace the generated password/)
    expect(mail).toHaveTextContent(/^Set up mail With SMTP_URL/)
    await actor.click(steps.getByRole('link', { name: /^Replace the generated password/ }))
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=password'))
  })

  test.each([
    ['overview', '*/users/me/overview', 'Newest users'],
    ['recent activity', '*/audit/', 'Audit log'],
  ])('of a superuser says if the %s cannot be read, and tries again', async (_, url, name) => {
    let isBroken = true
    const failing = http.get(url, () => (isBroken ? refusal(500, 'Out of order') : undefined))
    const { actor } = await open({
      user: root,
      prepare: ({ users }) => {
        users.push(root, ada)
        network.use(failing)
      },
    })
    const panel = await screen.findByRole('alert')
    expect(panel).toHaveTextContent(/^Something went wrong!/)
    isBroken = false
    await actor.click(within(panel).getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(name)).toBeInTheDocument()
  })

  test('of a back end without an overview has only the two lines of SPEC, and the user stays logged in', async () => {
    const failing = http.get('*/users/me/overview', () => refusal(404, 'Not Found'))
    const { queryClient } = await open({ prepare: () => network.use(failing) })
    await waitFor(() => expect(requestsTo(request)).toHaveLength(1))
    await waitFor(() =>
      expect(
        queryClient.getQueryCache().findAll({ predicate: ({ state }) => state.fetchFailureCount > 0 }),
      ).toHaveLength(1),
    )
    await waitFor(() => expect(screen.getByRole('main').querySelector('[aria-hidden]')).toBeNull())
    expectTwoLines('Ada Lovelace')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(localStorage.getItem('access_token')).not.toBeNull()
  })
})

test.each([
  ['/', true],
  ['/security', true],
  [itemsPath, false],
  ['/settings', false],
])('SPEC 2: while the account loads, %s has a place for its page: %s', async (url, hasPlace) => {
  const held = Promise.withResolvers<void>()
  const loaded = renderApp({
    url,
    user: ada,
    prepare: () => network.use(http.get('*/users/me', () => held.promise, { once: true })),
  })
  expect(await screen.findByText('Steward')).toBeInTheDocument()
  const places = document.querySelectorAll('.animate-appear')
  expect(places.length > 0).toBe(hasPlace)
  held.resolve()
  await loaded
  expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument()
})
