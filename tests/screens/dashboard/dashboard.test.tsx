import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { itemsPath } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import { makeEntry } from '../../support/people'
import { expectToast, renderApp } from '../../support/render-app'

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

const linksIn = (element: HTMLElement) =>
  within(element)
    .queryAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')])

describe('the dashboard', () => {
  test('SPEC 2: its two lines are shown before the overview loads', async () => {
    await open({ prepare: () => network.use(http.get('*/users/me/overview', never)) })
    expectTwoLines('Ada Lovelace')
    expect(document.title).toBe('Dashboard - Steward')
  })

  test('of a superuser shows the accounts by status, the newest accounts and recent activity', async () => {
    const last_active_at = new Date().toISOString()
    const users = [
      makeUser({
        id: 'grace',
        full_name: 'Grace Hopper',
        email: 'grace@example.com',
        last_active_at,
        created_at: last_active_at,
      }),
      makeUser({ id: 'nameless', full_name: null, email: 'nameless@example.com', created_at: '2020-01-01T00:00:00Z' }),
      makeUser({ id: 'alan', full_name: 'Alan Turing', email: 'alan@example.com', is_invited: true, last_active_at }),
      { ...root, last_active_at },
    ]
    await open({
      user: root,
      prepare: (backend) => {
        backend.users = users
        backend.people.expiring = 1
        const failed = { action: 'log-in', result: 'wrong-password' }
        const at = new Date(Date.now() - 30 * 3_600_000).toISOString()
        backend.people.audit = [
          makeEntry({ at: new Date().toISOString() }),
          makeEntry({ ...failed, at: new Date().toISOString() }),
          makeEntry({ ...failed, at }),
          makeEntry({ ...failed, at }),
        ]
      },
    })
    const activity = await screen.findByRole('region', { name: 'Recent activity' })
    expect(linksIn(screen.getByRole('list', { name: 'Numbers' }))).toEqual([
      ['Active users 3 1 new in 30 days', '/users?status=active'],
      ['Invited users 1 1 expires in a day', '/users?status=invited'],
      ['Not seen for 90 days 1 25% of all users', '/users?idle_days=90'],
      ['Failed log-ins in 24 hours 1 2 the day before', '/audit?action=log-in&result=failed&last=24h'],
    ])
    expect(linksIn(activity)).toEqual([['Audit log', '/audit']])
    expect(within(activity).getByText('Log-in')).toBeInTheDocument()
    expect(linksIn(screen.getByRole('region', { name: 'Newest users' }))).toEqual([
      ['All users', '/users'],
      ['Grace Hopper grace@example.com now', '/users/grace'],
      [expect.stringMatching(/^nameless@example.com .+ ago$/), '/users/nameless'],
      [expect.stringMatching(/^Alan Turing alan@example.com .+ ago$/), '/users/alan'],
      [expect.stringMatching(/^root@example.com .+ ago$/), `/users/${root.id}`],
    ])
    expect(requestsTo(request)).toHaveLength(1)
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

  test('of the first superuser is up to date after the generated password was replaced', async () => {
    const { actor, backend } = await open({
      user: root,
      prepare: ({ users, people }) => {
        users.push(root, ada)
        Object.assign(people, { hasGeneratedPassword: true, audit: [makeEntry()] })
      },
    })
    await actor.click(await screen.findByRole('link', { name: /^Replace the generated password/ }))
    await actor.type(await screen.findByLabelText(/^Current Password/), 'generated')
    await actor.type(screen.getByLabelText(/^New Password/), 'correct horse')
    await actor.type(screen.getByLabelText(/^Confirm Password/), 'correct horse')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectToast('Password updated successfully.', 'success')
    backend.people.audit.unshift(makeEntry({ action: 'password-change' }))
    await actor.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] ?? document.body)
    expect(await screen.findByText('Password changed')).toBeInTheDocument()
    expect(screen.queryByText(/^Replace the generated password/)).not.toBeInTheDocument()
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
