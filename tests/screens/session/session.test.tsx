import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { holdEvents } from '@/data/held-events'
import { getToken } from '@/data/session'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectConsoleError } from '../../support/console'
import { queriesOfSession, renderApp, roundTrip } from '../../support/render-app'

const ada = makeUser({ full_name: 'Ada Lovelace', email: 'ada@example.com' })
const root = { ...ada, is_superuser: true }
const grace = makeUser({ full_name: 'Grace Hopper', email: 'grace@example.com', is_superuser: true })

describe('the session', () => {
  test('SPEC 4: a guest is redirected to the log-in page', async () => {
    const { router } = await renderApp({ url: '/users' })
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(requestsTo('GET /users/me')).toEqual([])
  })

  test('SPEC 4: an invalid token is removed, and the user is redirected to the log-in page', async () => {
    localStorage.setItem('access_token', 'ended long ago')
    // Settings sends no other request that could receive the first 401.
    const { router } = await renderApp({ url: '/settings' })
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(requestsTo('GET /users/me')).toHaveLength(1)
  })

  test.each([401, 403])('SPEC 4: a %i to a save ends it and redirects to the log-in page', async (status) => {
    const { actor, router, queryClient } = await renderApp({
      url: `/users?edit=${grace.id}`,
      user: root,
      prepare: (backend) => void backend.users.push(grace),
    })
    network.use(http.patch(`*/users/${grace.id}`, () => refusal(status, 'No')))
    await actor.type(await screen.findByLabelText('Full Name'), ' and more')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(queriesOfSession(queryClient)).toEqual([])
  })

  describe('after a log-in, the dashboard offers the requested page', () => {
    const offer = () => screen.queryByRole('link', { name: /^Continue to/ })

    async function logIn({ actor, backend }: Awaited<ReturnType<typeof renderApp>>, user = root) {
      backend.user = user
      await actor.type(await screen.findByLabelText(/^Email/), user.email)
      await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
      await screen.findByRole('heading', { name: /^Hi/ })
    }

    async function expire({ queryClient }: Awaited<ReturnType<typeof renderApp>>) {
      network.use(http.get('*/users/', () => refusal(401, 'Could not validate credentials'), { once: true }))
      await act(() => queryClient.invalidateQueries())
      await screen.findByRole('heading', { name: 'Login to your account' })
    }

    test('to a guest, only once', async () => {
      const app = await renderApp({ url: '/users?page=2&q=plan' })
      await screen.findByRole('heading', { name: 'Login to your account' })
      expect(screen.queryByRole('status')).not.toBeInTheDocument()
      await logIn(app)
      await app.actor.click(await screen.findByRole('link', { name: 'Continue to Users' }))
      await screen.findByRole('heading', { name: 'Users' })
      expect(app.router.state.location.search).toMatchObject({ q: 'plan' })
      await app.actor.click(within(screen.getByRole('navigation', { name: 'Main' })).getByText('Dashboard'))
      await screen.findByRole('heading', { name: /^Hi/ })
      expect(offer()).not.toBeInTheDocument()
    })

    test('to the user whose session has ended, and the log-in page says that it has ended', async () => {
      const app = await renderApp({ url: '/users', user: root })
      await screen.findByRole('heading', { name: 'Users' })
      await expire(app)
      expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
      await logIn(app)
      expect(await screen.findByRole('link', { name: 'Continue to Users' })).toHaveAttribute('href', '/users')
    })

    const dialogs = {
      add: '/users?q=plan&add',
      edit: `/users?q=plan&edit=${grace.id}`,
      delete: `/users?q=plan&delete=${grace.id}`,
    }
    const openDialog = async (url: string) => {
      const prepare = (backend: Backend) => void backend.users.push(grace)
      const app = await renderApp({ url, user: root, prepare })
      const navigations = vi.spyOn(app.router.history, 'replace')
      await screen.findByRole('dialog')
      return { ...app, navigations }
    }

    test.each(Object.entries(dialogs))('to the user whose session has ended in a dialog: ?%s', async (_, url) => {
      const app = await openDialog(url)
      await expire(app)
      expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
      // The second navigation removes the state from the history entry.
      expect(app.navigations.mock.calls.map(([path]) => path)).toEqual(['/login', '/login'])
      await logIn(app)
      expect(await screen.findByRole('link', { name: 'Continue to Users' })).toHaveAttribute('href', '/users?q=plan')
    })

    test.each(Object.entries(dialogs))(
      'not to another user after a session that ended in a dialog: ?%s',
      async (_, url) => {
        const app = await openDialog(url)
        await expire(app)
        await logIn(app, grace)
        expect(offer()).not.toBeInTheDocument()
      },
    )

    test.each(Object.entries(dialogs))('not after a log-out in another tab with a dialog: ?%s', async (_, url) => {
      const app = await openDialog(url)
      act(() => {
        localStorage.removeItem('access_token')
        window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }))
      })
      await screen.findByRole('heading', { name: 'Login to your account' })
      expect(screen.queryByRole('status')).not.toBeInTheDocument()
      await logIn(app, grace)
      expect(offer()).not.toBeInTheDocument()
    })

    test('not to another user after the browser has lost the token', async () => {
      const app = await renderApp({ url: '/users?q=plan', user: root })
      await screen.findByRole('heading', { name: 'Users' })
      localStorage.clear()
      await app.actor.click(within(screen.getByRole('navigation', { name: 'Main' })).getByText('Dashboard'))
      await screen.findByRole('heading', { name: 'Login to your account' })
      expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
      await logIn(app, grace)
      expect(offer()).not.toBeInTheDocument()
    })

    test('not to another user', async () => {
      const app = await renderApp({ url: '/users', user: root })
      await screen.findByRole('heading', { name: 'Users' })
      await expire(app)
      await logIn(app, grace)
      expect(offer()).not.toBeInTheDocument()
    })

    test('not after a log-out', async () => {
      const app = await renderApp({ url: '/users', user: root })
      await app.actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
      await screen.findByRole('heading', { name: 'Login to your account' })
      expect(screen.queryByRole('status')).not.toBeInTheDocument()
      await logIn(app)
      expect(offer()).not.toBeInTheDocument()
    })

    test('not to users without access to it', async () => {
      const app = await renderApp({ url: '/users' })
      await logIn(app, ada)
      expect(offer()).not.toBeInTheDocument()
    })
  })

  test('a log-out in another tab ends the session in this tab', async () => {
    const { queryClient } = await renderApp({ url: '/', user: ada })
    await screen.findByRole('heading', { level: 1 })
    act(() => {
      localStorage.removeItem('access_token')
      window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: null }))
    })
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    await waitFor(() => expect(queriesOfSession(queryClient)).toEqual([]))
  })

  test('a log-in in another tab opens the dashboard in this tab', async () => {
    const { backend } = await renderApp({ url: '/login', prepare: (store) => void (store.user = ada) })
    await screen.findByRole('heading', { name: 'Login to your account' })
    act(() => {
      localStorage.setItem('access_token', backend.token)
      window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: backend.token }))
    })
    expect(await screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeInTheDocument()
  })

  test('after a log-in in another tab, before the code of the log-in page has loaded, buttons work', async () => {
    // The head script holds events until the code of the page has loaded.
    holdEvents()
    const { actor } = await renderApp({ url: '/login', user: ada })
    await screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })
    await actor.click(screen.getByRole('button', { name: /Ada Lovelace/ }))
    expect(await screen.findByRole('menuitem', { name: 'Log out' })).toBeInTheDocument()
  })

  test('a log-in as another user in another tab removes the data of the first user from the screen', async () => {
    const { backend } = await renderApp({
      url: '/users',
      user: root,
      prepare: (store) => store.users.push(makeUser({ full_name: 'Of Ada' })),
    })
    await screen.findByText('Of Ada')
    backend.user = grace
    backend.users = [makeUser({ full_name: 'Of Grace' })]
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'access_token', newValue: backend.token }))
    })
    expect(await screen.findByText('Of Grace')).toBeInTheDocument()
    expect(screen.queryByText('Of Ada')).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: /Grace Hopper/ })).toBeInTheDocument()
  })

  test.each(['a log-out', 'a log-in as another user'])(
    'a page that Back brings back after %s elsewhere shows nothing of the first user, and keeps no text',
    async (what) => {
      const { backend, actor } = await renderApp({
        url: '/users?add',
        user: root,
        prepare: (store) => store.users.push(makeUser({ full_name: 'Of Ada' })),
      })
      await actor.type(await screen.findByLabelText('Full Name'), 'A secret of Ada')
      window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
      // No storage event tells the page of the other session.
      backend.token = 'token of the next one'
      backend.user = grace
      backend.users = [makeUser({ full_name: 'Of Grace' })]
      if (what === 'a log-out') localStorage.removeItem('access_token')
      else localStorage.setItem('access_token', backend.token)
      act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      if (what === 'a log-out') await screen.findByRole('heading', { name: 'Login to your account' })
      else await screen.findByText('Of Grace')
      expect(document.body).not.toHaveTextContent('Ada')
      expect(Object.values(sessionStorage).join()).not.toContain('secret')
    },
  )

  test('a page that Back brings back in the same session stays as it was', async () => {
    const { actor } = await renderApp({ url: '/users?add', user: root })
    await actor.type(await screen.findByLabelText('Full Name'), 'Half a title')
    for (const type of ['pagehide', 'pageshow'])
      act(() => void window.dispatchEvent(new PageTransitionEvent(type, { persisted: true })))
    await roundTrip()
    expect(screen.getByLabelText('Full Name')).toHaveValue('Half a title')
  })

  test('a late 401 to a request of an earlier session does not end a newer session', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const late = http.get('*/users/', () => held.then(() => refusal(401, 'Could not validate credentials')), {
      once: true,
    })
    const { router } = await renderApp({ url: '/users', user: root, prepare: () => network.use(late) })
    await waitFor(() => expect(requestsTo('GET /users/')).toHaveLength(1))
    localStorage.setItem('access_token', 'another token')
    release()
    await screen.findByRole('heading', { name: 'Something went wrong!' })
    expect(localStorage.getItem('access_token')).toBe('another token')
    expect(router.state.location.pathname).toBe('/users')
  })

  test('a late response to the deletion of one user does not log out the next user', async () => {
    const { actor, backend } = await renderApp({ url: '/settings?tab=dangerzone', user: ada })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.delete('*/users/me', () => held))
    await actor.click(await screen.findByRole('button', { name: 'Delete Account' }))
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(requestsTo('DELETE /users/me')).toHaveLength(1))
    const before = backend.token
    backend.token = 'token of the next one'
    backend.user = makeUser({ full_name: 'Grace Hopper' })
    network.use(
      http.delete('*/users/me', () => refusal(500, 'never asked')),
      http.post('*/x', () => held),
    )
    act(() => {
      localStorage.setItem('access_token', backend.token)
      window.dispatchEvent(
        new StorageEvent('storage', { key: 'access_token', newValue: backend.token, oldValue: before }),
      )
    })
    await screen.findByRole('button', { name: /Grace Hopper/ })
    release()
    await roundTrip()
    expect(localStorage.getItem('access_token')).toBe(backend.token)
    expect(screen.getByRole('button', { name: /Grace Hopper/ })).toBeInTheDocument()
  })

  test.each(['log-out', 'a 401', 'the deletion of the account'])(
    'after %s no data of the previous user is shown while the account of the next user loads',
    async (end) => {
      const { actor, backend, queryClient } = await renderApp({
        ...(end === 'the deletion of the account'
          ? { url: '/settings?tab=dangerzone&delete', user: ada }
          : { url: '/users?add', user: root }),
        prepare: (store) => store.users.push(makeUser({ full_name: 'Of Ada' })),
      })
      const dialog = await screen.findByRole('dialog')
      if (end === 'the deletion of the account')
        await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      else {
        await actor.type(within(dialog).getByLabelText('Full Name'), 'A secret of Ada')
        if (end === 'a 401') {
          network.use(http.get('*/users/', () => refusal(401, 'Could not validate credentials'), { once: true }))
          await act(() => queryClient.invalidateQueries())
        } else {
          await actor.keyboard('{Escape}')
          await actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
          await actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
        }
      }
      await screen.findByRole('heading', { name: 'Login to your account' })

      backend.user = grace
      backend.users = []
      const held = Promise.withResolvers<void>()
      network.use(http.get('*/users/me', () => held.promise))
      const seen = new Set<string>()
      const observer = new MutationObserver(() => seen.add(document.body.textContent))
      await actor.type(screen.getByLabelText(/^Email/), 'grace@example.com')
      observer.observe(document.body, { childList: true, subtree: true, characterData: true })
      await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
      await waitFor(() => expect(requestsTo('GET /users/me').length).toBeGreaterThan(1))
      await roundTrip()
      held.resolve()
      expect(await screen.findByRole('heading', { name: 'Hi, Grace Hopper' })).toBeInTheDocument()
      observer.disconnect()
      expect([...seen].filter((text) => /Ada|ada@|secret|Kept|last session/.test(text))).toEqual([])
    },
  )

  describe('a token that the browser has lost', () => {
    const actions: Record<string, { url: string; label?: string; button: string }> = {
      'a save': { url: `/users?edit=${grace.id}`, label: 'Full Name', button: 'Save' },
      'a deletion': { url: `/users?delete=${grace.id}`, button: 'Delete' },
      'the profile': { url: '/settings', label: 'Full Name', button: 'Save' },
      'an export': { url: '/users', button: 'Export CSV' },
    }

    test.each(Object.entries(actions))('%s leads to the log-in page', async (_, { url, label, button }) => {
      const { actor, queryClient } = await renderApp({
        url,
        user: root,
        prepare: (backend) => void backend.users.push(grace),
      })
      const found = await screen.findByRole('button', { name: button })
      if (label !== undefined) await actor.type(screen.getByLabelText(new RegExp(`^${label}`)), ' and more')
      localStorage.clear()
      await actor.click(found)
      expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
      expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
      expect(screen.queryByText(/authenticated|credentials/)).not.toBeInTheDocument()
      await waitFor(() => expect(queriesOfSession(queryClient)).toEqual([]))
    })

    test('while requests are under way: one of them leads to the log-in page', async () => {
      const { queryClient } = await renderApp({ url: '/users', user: root })
      await screen.findByRole('heading', { name: 'Users' })
      const held = Promise.withResolvers<void>()
      const late = () => held.promise.then(() => refusal(401, 'Could not validate credentials'))
      network.use(http.get('*/users/', late), http.get('*/users/me', late))
      const before = requestsTo('GET /users/').length
      act(() => void queryClient.invalidateQueries())
      await waitFor(() => expect(requestsTo('GET /users/')).toHaveLength(before + 1))
      localStorage.clear()
      held.resolve()
      expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
      expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Log in again.')
    })

    test('a late 401 to a request without a token does not end a newer session', async () => {
      const { actor, backend } = await renderApp({ url: '/users?invite', user: root })
      const dialog = within(await screen.findByRole('dialog'))
      await actor.type(dialog.getByLabelText(/^Email/), 'eve@example.com')
      const held = Promise.withResolvers<void>()
      network.use(http.post('*/users/invite', () => held.promise.then(() => refusal(401, 'Not authenticated'))))
      localStorage.clear()
      await actor.click(dialog.getByRole('button', { name: 'Send Invitation' }))
      await waitFor(() => expect(requestsTo('POST /users/invite')).toHaveLength(1))
      localStorage.setItem('access_token', backend.token)
      held.resolve()
      await roundTrip()
      expect(localStorage.getItem('access_token')).toBe(backend.token)
      expect(screen.getByRole('dialog')).toBeInTheDocument()
    })
  })

  test.each([
    ['is full', ['setItem']],
    ['throws', ['setItem', 'removeItem']],
  ] as const)(
    'a session that ends while the storage %s leads to the log-in page, and the text is kept',
    async (fault, broken) => {
      const prepare = (backend: Backend) => {
        // The application remembers ended tokens, so each test needs a token of its own.
        backend.token = `token of a storage that ${fault}`
        localStorage.setItem('access_token', backend.token)
      }
      const app = await renderApp({ url: '/users?add', user: root, prepare })
      await app.actor.type(within(await screen.findByRole('dialog')).getByLabelText('Full Name'), 'A long text')
      for (const method of broken)
        vi.spyOn(Storage.prototype, method).mockImplementation(() => {
          throw new DOMException('The quota has been exceeded', 'QuotaExceededError')
        })
      app.backend.token = 'a newer token'
      await act(() => app.queryClient.invalidateQueries())
      expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
      expect(getToken()).toBeNull()
      const stored = localStorage.getItem('access_token')
      expect(stored).toBe(fault === 'throws' ? 'token of a storage that throws' : null)
      vi.restoreAllMocks()
      await app.actor.type(screen.getByLabelText(/^Email/), ada.email)
      await app.actor.type(screen.getByLabelText(/^Password/), `${app.backend.password}{Enter}`)
      await app.actor.click(await screen.findByRole('button', { name: 'Restore' }))
      await waitFor(() =>
        expect(within(screen.getByRole('dialog')).getByLabelText('Full Name')).toHaveValue('A long text'),
      )
    },
  )

  test.each(['', '   '])('a token of %j does not count as a session', async (token) => {
    localStorage.setItem('access_token', token)
    const { router } = await renderApp({ url: '/users' })
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(requestsTo('GET /users/me')).toEqual([])
  })

  test('with blocked storage the application starts logged out, and reports it at log-in', async () => {
    const blocked = () => {
      throw new DOMException('Access is denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(blocked)
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(blocked)
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(blocked)
    const { actor, backend } = await renderApp({ url: '/users', prepare: (store) => void (store.user = ada) })
    await screen.findByRole('heading', { name: 'Login to your account' })
    await actor.type(screen.getByLabelText(/^Email/), ada.email)
    await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Your browser does not store the session'))
    expect(screen.getByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  })

  test('a page that fails to load shows the error panel inside the application', async () => {
    expectConsoleError(/ApiError: Conflict|Error in route match/)
    const broken = http.get('*/users/me', () => refusal(409, 'Out of order'), { once: true })
    const { actor } = await renderApp({ url: '/', user: ada, prepare: () => network.use(broken) })
    expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })).toHaveFocus()
  })

  test.each(['/', '/users'])('%s: the error panel of the account stays until there is an answer', async (url) => {
    expectConsoleError(/ApiError: Conflict|Error in route match/)
    let held = Promise.resolve()
    let isBroken = true
    const account = http.get('*/users/me', async () => {
      await held
      return isBroken ? refusal(409, 'Out of order') : undefined
    })
    const { actor } = await renderApp({ url, user: root, prepare: () => network.use(account) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    const press = async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      await actor.click(again)
      await waitFor(() => expect(again).toHaveAttribute('aria-busy', 'true'))
      // Longer than the delay before a placeholder replaces the page.
      await act(() => new Promise((resume) => setTimeout(resume, 400)))
      expect(again).toBeInTheDocument()
      return resolve
    }
    const fail = await press()
    fail()
    await waitFor(() => expect(again).not.toHaveAttribute('aria-busy'))
    const succeed = await press()
    isBroken = false
    succeed()
    await waitFor(() => expect(again).not.toBeInTheDocument())
  })
})
