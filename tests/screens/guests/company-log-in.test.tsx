import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { rightHandover } from '../../support/identities'
import { network, requestsTo } from '../../support/network'
import { renderApp, roundTrip } from '../../support/render-app'
import { stubPasskeys } from '../../support/stub-passkeys'

const ada = makeUser({ email: 'ada@example.com' })
const provider = { name: 'Example Corp', log_out: 'https://login.example.com/end' }
const companyLink = { name: 'Log in with Example Corp' }

const prepare =
  (more: Partial<Backend['identities']> = {}) =>
  (backend: Backend) => {
    backend.user = ada
    Object.assign(backend.identities, { provider, ...more })
  }

const returnOf = async () => {
  const link = await screen.findByRole('link', companyLink)
  const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', window.location.origin)
  return [pathname, searchParams.get('return_to')]
}

describe('/login with a provider', () => {
  test('has a link to it above the form', async () => {
    await renderApp({ url: '/login', prepare: prepare() })
    expect(await returnOf()).toEqual(['/api/v1/login/oidc', '/'])
    const email = screen.getByLabelText(/^Email/)
    const link = screen.getByRole('link', companyLink)
    expect(link.compareDocumentPosition(email)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(screen.getByRole('link', { name: 'Sign up' })).toBeInTheDocument()
  })

  test('the log-in leads to the page that was asked for', async () => {
    await renderApp({ url: '/users?q=a+b&sort=email', prepare: prepare() })
    expect(await returnOf()).toEqual(['/api/v1/login/oidc', '/users?q=a+b&sort=email'])
  })

  test('without passwords, only passkeys are offered besides, and no field suggests them', async () => {
    stubPasskeys()
    await renderApp({
      url: '/login',
      prepare: (backend) => {
        prepare({ takesPasswords: false })(backend)
        backend.factors.hasPasskeys = true
      },
    })
    await waitFor(() => expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument())
    expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Steward', companyLink.name])
    expect(screen.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
    expect(screen.queryByText('or')).not.toBeInTheDocument()
  })

  test.each(['/signup', '/recover-password', '/reset-password?token=x', '/accept-invitation?token=x'])(
    'without passwords, %s says so in place of its form',
    async (url) => {
      const { actor } = await renderApp({ url, prepare: prepare({ takesPasswords: false }) })
      expect(
        await screen.findByText('Log-in with a password is turned off. Log in with Example Corp.'),
      ).toBeInTheDocument()
      expect(screen.queryByLabelText(/Password|Email/)).not.toBeInTheDocument()
      await actor.click(screen.getByRole('link', { name: 'Log In' }))
      expect(await screen.findByRole('link', companyLink)).toBeInTheDocument()
    },
  )

  test('knows it from the page, before the API answers', async () => {
    const meta = document.createElement('meta')
    meta.name = 'instance'
    meta.content = JSON.stringify({ oidc: { name: 'Example Corp', log_out: null }, password_log_in: false })
    document.head.append(meta)
    onTestFinished(() => meta.remove())
    await renderApp({ url: '/login', prepare: () => network.use(http.get('*/instance', never)) })
    // Otherwise the next test might receive the request.
    await waitFor(() => expect(requestsTo('GET /instance')).toHaveLength(1))
    expect(screen.getByRole('link', companyLink)).toBeInTheDocument()
    expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument()
  })

  test.each([
    ['without', (backend: Backend) => void (backend.user = ada)],
    [
      'that knows nothing of it',
      () => {
        const plain = { name: 'Another', version: '1', sign_up: 'open' }
        network.use(http.get('*/instance', () => HttpResponse.json(plain)))
      },
    ],
  ])('a back end %s: no link and no line', async (_, plain) => {
    await renderApp({ url: '/login', prepare: plain })
    expect(await screen.findByLabelText(/^Email/)).toBeInTheDocument()
    await roundTrip()
    expect(screen.queryByRole('link', { name: /^Log in with/ })).not.toBeInTheDocument()
    // This separator is the one above passkeys.
    expect(screen.getAllByText('or')).toHaveLength(1)
  })
})

describe('the return from the provider', () => {
  test('completes the log-in once, leads to the page, and leaves no code behind', async () => {
    const { router, backend } = await renderApp({
      url: `/login#oidc=${rightHandover}`,
      isStrict: true,
      prepare: (given) => {
        prepare({ returnTo: '/users?q=ada' })(given)
        given.user = { ...ada, is_superuser: true }
        given.users.push(makeUser())
      },
    })
    expect(window.location.href).not.toContain(rightHandover)
    expect(await screen.findByRole('heading', { name: 'Users' })).toHaveFocus()
    expect(router.state.location.href).toBe('/users?q=ada')
    expect(localStorage.getItem('access_token')).toBe(backend.token)
    expect(requestsTo('POST /login/oidc/complete').map(({ body }) => body)).toEqual([{ code: rightHandover }])
    expect(requestsTo('GET /users/')).toHaveLength(1)
    expect(window.handover).toBeUndefined()
    expect([...Object.values(localStorage), ...Object.values(sessionStorage)].join()).not.toContain(rightHandover)
    act(() => router.history.back())
    expect(router.state.location.pathname).toBe('/users')
  })

  test('says that the person is being logged in, without the form', async () => {
    await renderApp({
      url: '/login#oidc=x',
      prepare: (backend) => {
        prepare()(backend)
        network.use(http.post('*/login/oidc/complete', never))
      },
    })
    expect(await screen.findByText('Logging you in …')).toHaveRole('status')
    expect(screen.queryByRole('link', companyLink)).not.toBeInTheDocument()
    expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument()
  })

  test('with a code that is used or too old says so, and one can log in again', async () => {
    await renderApp({ url: '/login#oidc=old', prepare: prepare() })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('This log-in has expired'))
    expect(screen.getByRole('link', companyLink)).toBeInTheDocument()
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(requestsTo('POST /login/oidc/complete')).toHaveLength(1)
  })

  test('in a session that goes on changes nothing', async () => {
    const { router } = await renderApp({ url: '/login#oidc=x', user: ada, prepare: prepare() })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(requestsTo('POST /login/oidc/complete')).toEqual([])
    expect(window.handover).toBeUndefined()
  })

  test('to a browser whose session has ended meanwhile completes the log-in', async () => {
    localStorage.setItem('access_token', 'ended long ago')
    await renderApp({ url: `/login#oidc=${rightHandover}`, prepare: prepare() })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(requestsTo('POST /login/oidc/complete')).toHaveLength(1)
  })

  test.each([
    ['denied', 'The log-in at Example Corp was cancelled or refused.'],
    ['expired', 'This log-in has expired, please start again.'],
    ['failed', 'The log-in at Example Corp failed. If it fails again, ask your administrator.'],
    ['no-account', 'You have no account here. Ask your administrator for an invitation.'],
    ['not-verified', 'Your address is not confirmed at Example Corp. Ask your administrator.'],
    ['connect-first', 'Log in with your password and connect Example Corp on your security page.'],
    ['inactive', 'Your account here is not active. Ask your administrator.'],
    ['unavailable', 'At the moment there is no connection to Example Corp. Please try again later.'],
    ['too-many', 'There were too many log-ins from your network or of your account. Please try again later.'],
    ['constructor', 'The log-in at Example Corp did not succeed. Please try again.'],
    ['<b>new</b>', 'The log-in at Example Corp did not succeed. Please try again.'],
  ])('with the error %s says it in words, until the next attempt', async (code, text) => {
    const { actor } = await renderApp({ url: `/login#oidc_error=${encodeURIComponent(code)}`, prepare: prepare() })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text))
    expect(window.location.hash).toBe('')
    await actor.click(screen.getByRole('button', { name: 'Login' }))
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
  })

  test('with an error is said in words without passwords, too', async () => {
    await renderApp({ url: '/login#oidc_error=denied', prepare: prepare({ takesPasswords: false }) })
    await waitFor(() => expect(screen.queryByLabelText(/^Email/)).not.toBeInTheDocument())
    expect(screen.getByRole('alert')).toHaveTextContent('The log-in at Example Corp was cancelled or refused.')
  })
})

describe('a link of the operator', () => {
  const logIn = async (actor: Awaited<ReturnType<typeof renderApp>>['actor']) =>
    actor.click(await screen.findByRole('button', { name: 'Log In' }))

  test('names the account, and logs in on a press, once', async () => {
    const { actor, backend } = await renderApp({
      url: `/login#link=${rightHandover}`,
      isStrict: true,
      prepare: prepare({ takesPasswords: false }),
    })
    expect(window.location.href).not.toContain(rightHandover)
    expect(await screen.findByText(/^This link logs you in as/)).toHaveTextContent(
      'This link logs you in as ada@example.com. Continue only if this account is yours.',
    )
    expect(requestsTo('POST /login/link')).toEqual([])
    expect(localStorage.getItem('access_token')).toBeNull()
    await logIn(actor)
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toHaveFocus()
    expect(localStorage.getItem('access_token')).toBe(backend.token)
    expect(requestsTo('POST /login/link').map(({ body }) => body)).toEqual([{ token: rightHandover }])
    expect(requestsTo('POST /login/link/account')).toHaveLength(1)
  })

  test('can be left for the form', async () => {
    const { actor } = await renderApp({ url: `/login#link=${rightHandover}`, prepare: prepare() })
    await actor.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(await screen.findByLabelText(/^Email/)).toBeInTheDocument()
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    expect(requestsTo('POST /login/link')).toEqual([])
  })

  test('that was used says so', async () => {
    await renderApp({ url: '/login#link=used', prepare: prepare() })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Invalid token'))
  })

  test('whose request is lost says so, and can be pressed again', async () => {
    const { actor } = await renderApp({ url: `/login#link=${rightHandover}`, prepare: prepare() })
    network.use(http.post('*/login/link', () => HttpResponse.error(), { once: true }))
    await logIn(actor)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The server cannot be reached.'))
    await logIn(actor)
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
  })

  test('that cannot be looked up says so', async () => {
    await renderApp({
      url: '/login#link=x',
      prepare: () => network.use(http.post('*/login/link/account', () => HttpResponse.error())),
    })
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The server cannot be reached.'))
  })
})

describe('after a log-out', () => {
  async function logOutAfter(url: string, more: Partial<Backend['identities']> = {}, logIn?: 'by password') {
    const app = await renderApp({ url, prepare: prepare(more) })
    if (url.includes('#link=')) await app.actor.click(await screen.findByRole('button', { name: 'Log In' }))
    if (logIn) {
      await app.actor.type(await screen.findByLabelText(/^Email/), ada.email)
      await app.actor.type(screen.getByLabelText(/^Password/), `${app.backend.password}{Enter}`)
    }
    await app.actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
    await app.actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await screen.findByRole('link', companyLink)
    return app
  }

  test('says that the person is still logged in at the provider, with a link to its log-out', async () => {
    await logOutAfter(`/login#oidc=${rightHandover}`)
    expect(screen.getByText('You are still logged in at Example Corp.')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Log out there' })).toHaveAttribute('href', provider.log_out)
    expect(localStorage).toHaveLength(0)
  })

  test.each([
    ['a provider without a log-out', `/login#oidc=${rightHandover}`, { provider: { ...provider, log_out: null } }],
    ['a session of a link', `/login#link=${rightHandover}`, {}],
  ])('of %s says nothing', async (_, url, more) => {
    await logOutAfter(url, more)
    expect(screen.queryByText(/^You are still logged in/)).not.toBeInTheDocument()
  })

  test('of a session by password says nothing', async () => {
    localStorage.setItem('logged_in_at_provider', '1')
    await logOutAfter('/login', {}, 'by password')
    expect(screen.queryByText(/^You are still logged in/)).not.toBeInTheDocument()
  })

  test('by the server says that the session has ended', async () => {
    const { router, queryClient } = await renderApp({ url: `/login#oidc=${rightHandover}`, prepare: prepare() })
    await screen.findByRole('heading', { name: /^Hi/ })
    network.use(http.get('*/users/me', () => refusal(401, 'Could not validate credentials')))
    await act(() => queryClient.invalidateQueries())
    expect(await screen.findByText('Your session has ended. Log in again.')).toBeInTheDocument()
    expect(screen.queryByText(/^You are still logged in/)).not.toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(localStorage.getItem('logged_in_at_provider')).toBeNull()
  })
})
