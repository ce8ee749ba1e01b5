import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readServerClock } from '@/data/api/setup'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { makeSession } from '../../support/people'
import { expectToast, renderApp, roundTrip } from '../../support/render-app'
import { message } from '../../support/responses'
import { stubPasskeys } from '../../support/stub-passkeys'

const ada = makeUser()
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

async function open(prepare?: (backend: Backend) => void) {
  const app = await renderApp({
    url: '/security',
    user: ada,
    prepare: (backend) => {
      backend.people.sessions[ada.id] = [
        makeSession({ current: true }),
        makeSession({ id: 'phone', user_agent: chrome, address: '2001:db8::1' }),
        makeSession({ id: 'old', user_agent: null, address: null }),
      ]
      prepare?.(backend)
    },
  })
  await screen.findByRole('heading', { name: 'Security' })
  return app
}

const rows = () => within(screen.getByRole('list', { name: 'Sessions' })).getAllByRole('listitem')
const elsewhere = { name: 'Log Out Everywhere Else' }

test('/security requests all its parts at once, as soon as the capabilities are known', async () => {
  stubPasskeys()
  const paths = ['users/me/sessions', 'users/me/tokens', 'users/me/passkeys', 'users/me/second-factor']
  network.use(...paths.map((path) => http.get(`*/api/v1/${path}`, never)))
  await renderApp({ url: '/security', user: ada, prepare: ({ factors }) => void (factors.hasPasskeys = true) })
  await waitFor(() => expect(paths.map((path) => requestsTo(`GET /${path}`).length)).toEqual(paths.map(() => 1)))
})

test('/security requests nothing twice', async () => {
  stubPasskeys()
  await open((backend) => (backend.factors.hasPasskeys = true))
  await screen.findByRole('heading', { name: 'Passkeys' })
  await screen.findByRole('heading', { name: 'API tokens' })
  await roundTrip()
  for (const path of ['sessions', 'tokens', 'passkeys', 'second-factor'])
    expect([path, requestsTo(`GET /users/me/${path}`).length]).toEqual([path, 1])
})

describe('/security', () => {
  test('counts the age of sessions by the clock of the server, if that of the computer is a day ahead', async () => {
    const serverTime = Date.now() - 86_400_000
    const clock = (time: number) => ({ headers: { Date: new Date(time).toUTCString() } })
    onTestFinished(() => readServerClock(new Response(null, clock(Date.now()))))
    const last_used_at = new Date(serverTime - 5.5 * 60_000).toISOString()
    const { queryClient } = await open()
    network.use(
      http.get('*/users/me/sessions', () =>
        HttpResponse.json({ data: [makeSession({ last_used_at })], count: 1 }, clock(serverTime)),
      ),
    )
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => expect(rows()[0]).toHaveTextContent('Last used 5 minutes ago'))
  })

  test('lists the sessions with browser, address and last use, and marks the current one', async () => {
    await open((backend) =>
      Object.assign(backend.people.sessions[ada.id]?.[0] ?? {}, { last_used_at: new Date().toISOString() }),
    )
    await screen.findByRole('list', { name: 'Sessions' })
    const texts = rows().map((row) => row.textContent)
    expect(texts[0]).toBe('Firefox on WindowsThis device192.0.2.1 · Last used now')
    expect(texts[1]).toMatch(/^Chrome on Linux2001:db8::1 · Last used .+ ago(Log Out)$/)
    expect(texts[2]).toMatch(/^Unknown browserUnknown address · Last used .+ ago(Log Out)$/)
    expect(within(rows()[1] ?? document.body).getByText(/ago$/)).toHaveAttribute(
      'title',
      expect.stringContaining('2026'),
    )
    expect(document.title).toBe('Security - Steward')
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem')
    expect(crumbs.map((crumb) => crumb.textContent)).toEqual(['Dashboard', 'Security'])
  })

  test('says how many sessions there are if the server lists only some', async () => {
    const some = { data: [makeSession({ current: true })], count: 5012 }
    await open(() => network.use(http.get('*/users/me/sessions', () => HttpResponse.json(some))))
    expect(await screen.findByText('The last used 1 of 5,012 sessions are shown.')).toBeInTheDocument()
  })

  test('leads to the password, which leads back', async () => {
    const { actor, router } = await open()
    await actor.click(screen.getByRole('link', { name: 'Change Password' }))
    expect(await screen.findByRole('tab', { name: 'Password', selected: true })).toBeInTheDocument()
    await actor.click(within(screen.getByRole('tabpanel')).getByRole('link', { name: 'Security' }))
    expect(await screen.findByRole('heading', { name: 'Security' })).toHaveFocus()
    expect(router.state.location.pathname).toBe('/security')
  })

  test('the user menu links to it', async () => {
    const { actor, router } = await renderApp({ url: '/', user: ada })
    await actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Security' }))
    expect(await screen.findByRole('heading', { name: 'Security' })).toHaveFocus()
    expect(router.state.location.pathname).toBe('/security')
  })

  test('ends one session, then the last other one; the focus moves to the heading', async () => {
    const { actor } = await open()
    await actor.click(await screen.findByRole('button', { name: 'Log Out Chrome on Linux, 2001:db8::1' }))
    await waitFor(() => expect(rows()).toHaveLength(2))
    await expectToast('The session was ended.', 'success')
    expect(screen.getByRole('heading', { name: 'Security' })).toHaveFocus()
    expect(requestsTo('DELETE /users/me/sessions/phone')).toHaveLength(1)
    expect(screen.getByRole('button', elsewhere)).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: /^Log Out Unknown browser/ }))
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(screen.queryByRole('button', elsewhere)).not.toBeInTheDocument()
  })

  test('a session that no longer exists counts as ended', async () => {
    const { actor, backend } = await open()
    const button = await screen.findByRole('button', { name: /^Log Out Chrome/ })
    backend.people.sessions[ada.id]?.splice(1, 1)
    await actor.click(button)
    await expectToast('The session was ended.', 'success')
    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  test('the button is pending during the request, and a failure shows a toast', async () => {
    const { actor } = await open()
    const button = await screen.findByRole('button', { name: /^Log Out Chrome/ })
    network.use(http.delete('*/sessions/:id', () => refusal(409, 'Use log-out to end this session'), { once: true }))
    await actor.click(button)
    await expectToast('Use log-out to end this session', 'error')
    network.use(http.delete('*/sessions/:id', never))
    await actor.click(button)
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'))
  })

  test('ends all other sessions; then the button is gone', async () => {
    const { actor } = await open()
    await actor.click(await screen.findByRole('button', elsewhere))
    await waitFor(() => expect(rows()).toHaveLength(1))
    await expectToast('All other sessions were ended.', 'success')
    expect(screen.queryByRole('button', elsewhere)).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Security' })).toHaveFocus()
    expect(localStorage.getItem('access_token')).not.toBeNull()
  })

  test('can end others again, if one began in the meantime', async () => {
    const { actor } = await open()
    // This response leaves the sessions in the list, as if they had begun since.
    network.use(http.post('*/sessions/end-others', () => message('Ended'), { once: true }))
    const button = await screen.findByRole('button', elsewhere)
    await actor.click(button)
    await waitFor(() => expect(requestsTo('GET /users/me/sessions')).toHaveLength(2))
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
    await actor.click(button)
    await waitFor(() => expect(requestsTo('POST /users/me/sessions/end-others')).toHaveLength(2))
  })

  test('a list that fails to load can be retried', async () => {
    const refused = http.get('*/users/me/sessions', () => refusal(409, 'Not now'), { once: true })
    const { actor } = await open(() => network.use(refused))
    await actor.click(await screen.findByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('list', { name: 'Sessions' })).toBeInTheDocument()
  })

  test('says if what the server offers cannot be read, and tries again', async () => {
    let isFailing = true
    const failing = http.get('*/instance', () => (isFailing ? refusal(409, 'Not now') : undefined))
    const { actor } = await open(() => network.use(failing))
    const again = await screen.findByRole('button', { name: 'Try again' })
    isFailing = false
    await actor.click(again)
    expect(await screen.findByRole('heading', { name: 'Two-step login' })).toBeInTheDocument()
  })
})
