import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { resources } from '@/data/resources'
import { makeUser, never } from '../../support/backend'
import { holdRequests, network, requestsTo } from '../../support/network'
import { queriesOfSession, renderApp, setScreenWidth } from '../../support/render-app'
import { anyResource } from '../../support/samples'

const ada = makeUser({ full_name: 'Ada Lovelace', email: 'ada@example.com' })
const root = makeUser({ full_name: null, email: 'root@example.com', is_superuser: true })

const sidebar = () => screen.getByRole('complementary', { name: 'Sidebar' })
const links = () => within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('link')
const crumbs = () => within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem')

const pages = ['Dashboard', ...resources.map(({ title }) => title)]

async function open(url = '/', user = ada) {
  const app = await renderApp({ url, user })
  await screen.findByRole('heading', { level: 1 })
  return app
}

test('the skip link moves to the content', async () => {
  const { actor } = await open()
  await actor.tab()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus()
  expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveAttribute('href', '#content')
  expect(screen.getByRole('main')).toHaveAttribute('id', 'content')
})

describe('the sidebar', () => {
  test('SPEC 2: everyone sees Dashboard and all resources; only superusers see Admin', async () => {
    const { router } = await open('/')
    expect(links().map((link) => link.textContent)).toEqual(pages)
    expect(screen.queryByText('Admin')).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
  })

  test('SPEC 2: a superuser sees the Admin group', async () => {
    await open('/', root)
    expect(links().map((link) => link.textContent)).toEqual([...pages, 'Users', 'Audit Log'])
    const admin = screen.getByRole('region', { name: 'Admin' })
    expect(within(admin).getByRole('link', { name: 'Users' })).toHaveAttribute('href', '/users')
  })

  test('SPEC 2: the link of the current page is marked; Dashboard only at its own URL', async () => {
    await open('/users?page=1', root)
    const current = links().filter((link) => link.getAttribute('aria-current') === 'page')
    expect(current.map((link) => link.textContent)).toEqual(['Users'])
  })

  test('SPEC 2, 3, 9: Ctrl+B and Cmd+B toggle it, and a cookie stores the state for 7 days', async () => {
    const { actor } = await open()
    const setCookie = vi.spyOn(document, 'cookie', 'set')
    expect(sidebar()).toHaveAttribute('data-state', 'expanded')
    await actor.keyboard('{Control>}b{/Control}')
    expect(sidebar()).toHaveAttribute('data-state', 'collapsed')
    expect(document.cookie).toContain('sidebar_state=false')
    expect(screen.getByRole('button', { name: 'Toggle sidebar' })).toHaveAttribute('aria-expanded', 'false')
    await actor.keyboard('{Meta>}b{/Meta}')
    expect(sidebar()).toHaveAttribute('data-state', 'expanded')
    expect(document.cookie).toContain('sidebar_state=true')
    expect(setCookie.mock.lastCall?.[0]).toContain('max-age=604800')
    await actor.keyboard('b{Control>}{Shift>}b{/Shift}{/Control}')
    expect(sidebar()).toHaveAttribute('data-state', 'expanded')
  })

  test('SPEC 3: the first render uses the state in the cookie; collapsed links keep their names', async () => {
    document.cookie = 'sidebar_state=false; path=/'
    await open()
    expect(sidebar()).toHaveAttribute('data-state', 'collapsed')
    expect(links().map((link) => link.textContent)).toEqual(pages)
    expect(screen.getByRole('button', { name: 'AL Ada Lovelace ada@example.com' })).toHaveTextContent('AL')
  })

  test('SPEC 2: on a narrow screen it is a sheet that closes after navigation', async () => {
    setScreenWidth(390)
    const { actor, router } = await open('/', root)
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Toggle sidebar' }))
    expect(await screen.findByRole('dialog', { name: 'Sidebar' })).toBeInTheDocument()
    await actor.click(screen.getByRole('link', { name: 'Users' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(router.state.location.pathname).toBe('/users')
    expect(document.cookie).not.toContain('sidebar_state=false')
  })
})

test('closing the sheet returns the focus to its button; rotating a phone twice does not reopen the sheet', async () => {
  setScreenWidth(390)
  const { actor } = await open()
  const toggle = screen.getByRole('button', { name: 'Toggle sidebar' })
  await actor.click(toggle)
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(toggle).toHaveFocus())
  await actor.click(toggle)
  setScreenWidth(844)
  setScreenWidth(390)
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

describe('the header', () => {
  test('SPEC 2: breadcrumbs link to the parent pages; the last one is the current page', async () => {
    const { actor, router } = await open('/users', root)
    expect(crumbs().map((crumb) => crumb.textContent)).toEqual(['Dashboard', 'Users'])
    expect(within(crumbs()[1] ?? document.body).getByText('Users')).toHaveAttribute('aria-current', 'page')
    await actor.click(within(crumbs()[0] ?? document.body).getByRole('link'))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
    await waitFor(() => expect(crumbs().map((crumb) => crumb.textContent)).toEqual(['Dashboard']))
  })
})

describe('the user menu', () => {
  test('SPEC 2: shows name, email address, Settings and Log out', async () => {
    const { actor, router } = await open()
    const button = screen.getByRole('button', { name: /Ada Lovelace/ })
    expect(button).toHaveTextContent('AL')
    expect(button).toHaveTextContent('ada@example.com')
    await actor.click(button)
    const entries = ['Settings', 'Security', 'Keyboard shortcuts', 'Log out']
    expect(screen.getAllByRole('menuitem').map((entry) => entry.textContent)).toEqual(entries)
    await actor.click(screen.getByRole('menuitem', { name: 'Settings' }))
    expect(await screen.findByRole('heading', { name: 'Settings' })).toHaveFocus()
    expect(router.state.location.pathname).toBe('/settings')
  })

  test('sets the theme, and shows the keyboard shortcuts', async () => {
    const { actor } = await open()
    const button = () => screen.getByRole('button', { name: /Ada Lovelace/ })
    await actor.click(button())
    expect(await screen.findByRole('menuitemradio', { name: 'Theme: System' })).toBeChecked()
    await actor.click(screen.getByRole('menuitemradio', { name: 'Theme: Dark' }))
    expect(localStorage.getItem('theme')).toBe('dark')
    await actor.click(button())
    await actor.click(screen.getByRole('menuitem', { name: 'Keyboard shortcuts' }))
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeInTheDocument()
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(button()).toHaveFocus())
  })

  test('SPEC 4: Log out removes the token, opens the log-in page and ends the session on the server', async () => {
    const { actor, backend, queryClient } = await open()
    await actor.click(screen.getByRole('button', { name: /Ada Lovelace/ }))
    await actor.click(screen.getByRole('menuitem', { name: 'Log out' }))
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(localStorage.getItem('access_token')).toBeNull()
    await waitFor(() => expect(requestsTo('POST /logout')).toMatchObject([{ token: backend.token }]))
    expect(queriesOfSession(queryClient)).toEqual([])
    expect(screen.queryByRole('region', { name: /notifications/i })?.textContent ?? '').toBe('')
  })
})

describe('on navigation', () => {
  const eve = makeUser({ email: 'eve@example.com', full_name: null })
  const ben = makeUser({ email: 'ben@example.com', full_name: null })

  /** Opens the page of a user, whose data waits until `release` is called. */
  async function openLate() {
    const app = await open('/settings', { ...ada, is_superuser: true })
    app.backend.users.push(eve)
    const release = holdRequests('get', `*/users/${eve.id}`)
    const link = screen.getByRole('link', { name: 'Skip to content' })
    act(() => link.focus())
    await act(() => app.router.navigate({ to: '/users/$userId', params: { userId: eve.id } }))
    await waitFor(() => expect(document.title).toBe('User - Steward'))
    return { ...app, link, release }
  }

  test('the focus moves to the heading of the new page, even if the heading appears late', async () => {
    const { link, release } = await openLate()
    expect(link).toHaveFocus()
    release()
    expect(await screen.findByRole('heading', { name: eve.email })).toHaveFocus()
  })

  test('the page is announced by its name, from one user to the next, too', async () => {
    const { router } = await renderApp({
      url: '/users',
      user: root,
      prepare: ({ users }) => users.push(eve, ben, root),
    })
    await screen.findByRole('heading', { name: 'Users' })
    const said: string[] = []
    const region = document.querySelector('[aria-live=polite].sr-only')
    const observer = new MutationObserver(() => {
      const text = region?.textContent ?? ''
      if (text && said.at(-1) !== text) said.push(text)
    })
    if (region) observer.observe(region, { childList: true, subtree: true, characterData: true })
    for (const { id, email } of [eve, ben]) {
      await act(() => router.navigate({ to: '/users/$userId', params: { userId: id } }))
      expect(await screen.findByRole('heading', { name: email })).toBeInTheDocument()
    }
    await act(() => router.navigate({ to: '/settings' }))
    await waitFor(() => expect(said).toEqual(['eve@example.com', 'ben@example.com', 'Settings']))
    observer.disconnect()
  })

  test('the focus stays if the user moves it in the meantime', async () => {
    const { actor, release } = await openLate()
    await actor.tab()
    const chosen = document.activeElement
    release()
    await screen.findByRole('heading', { name: eve.email })
    expect(chosen).not.toBe(document.body)
    expect(chosen).toHaveFocus()
  })

  test('the focus moves to the heading if only a closing menu has moved it in the meantime', async () => {
    const { release } = await openLate()
    act(() => screen.getByRole('button', { name: /Ada Lovelace/ }).focus())
    release()
    expect(await screen.findByRole('heading', { name: eve.email })).toHaveFocus()
  })
})

describe('loading', () => {
  test.each(anyResource)('the page of $table is marked as busy after 300 ms, not before', async ({ table }) => {
    await renderApp({ url: `/${table}`, user: ada, prepare: () => network.use(http.get(`*/${table}/`, never)) })
    const main = await screen.findByRole('main')
    expect(main).toHaveAttribute('aria-busy', 'false')
    await waitFor(() => expect(main).toHaveAttribute('aria-busy', 'true'))
    expect(main).toBeEmptyDOMElement()
  })

  /** Opens the users, then stops the clock and delays all responses. */
  async function openSlow() {
    const app = await open('/users', root)
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
    network.use(http.get('*/users/', never), http.get('*/users/me/overview', never))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
    return { ...app, pass }
  }

  test('a page is not marked as busy while the page of a hovered link is read', async () => {
    const { pass } = await openSlow()
    fireEvent.mouseOver(within(screen.getByRole('navigation', { name: 'Main' })).getByText('Dashboard'))
    await pass(100)
    expect(requestsTo('GET /users/me/overview')).toHaveLength(1)
    // Each round renders what the round before has changed.
    for (let round = 0; round < 3; round += 1) await pass(300)
    expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'false')
  })

  test('each request has 300 ms of its own', async () => {
    const { router, pass } = await openSlow()
    const search = (q: string) => act(() => router.navigate({ to: '/users', search: { q } }))
    await search('a')
    await pass(200)
    await search('ab')
    await pass(299)
    expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'false')
    await pass(1)
    expect(screen.getByRole('main')).toHaveAttribute('aria-busy', 'true')
  })
})

test('SPEC 2: the greeting has the name, or the email address if there is no name', async () => {
  await open('/', root)
  expect(screen.getByRole('heading', { name: 'Hi, root@example.com' })).toBeInTheDocument()
  expect(screen.getByText('Welcome back, nice to see you again!')).toBeInTheDocument()
})

describe('SPEC 2: an unknown URL', () => {
  test('shows the not-found page; Go back returns to the previous history entry', async () => {
    const { actor, router } = await open('/settings')
    await act(() => router.navigate({ href: '/no/such/page' }))
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument()
    expect(screen.getByText('404')).toBeInTheDocument()
    expect(screen.getByText("Sorry, we couldn't find the page you're looking for.")).toBeInTheDocument()
    expect(document.title).toBe('Page not found - Steward')
    await actor.click(screen.getByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'))
  })

  test('keeps the shell of the signed-in, and visitors see the page alone', async () => {
    await renderApp({ url: '/no/such/page', user: ada })
    await screen.findByRole('heading', { name: 'Page not found' })
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeInTheDocument()
    expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent(/Dashboard.*Page not found/)
    expect(screen.getAllByRole('main')).toHaveLength(1)
    cleanup()
    localStorage.clear()
    const { router } = await renderApp({ url: '/no/such/page' })
    await screen.findByRole('heading', { name: 'Page not found' })
    expect(screen.queryByRole('navigation', { name: 'Main' })).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/no/such/page')
  })

  test.each([
    ['below an existing page', '/settings/xyz'],
    ['that cannot be decoded', '/settings/%E0%A4%A'],
  ])('%s has the title of the not-found page', async (_what, url) => {
    await renderApp({ url, user: ada })
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument()
    await waitFor(() => expect(document.title).toBe('Page not found - Steward'))
  })

  test('without a previous history entry, Go back opens the dashboard', async () => {
    const { actor, router } = await renderApp({ url: '/nowhere', user: ada })
    await actor.click(await screen.findByRole('button', { name: 'Go back' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })
})
