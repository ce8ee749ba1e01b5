import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { currentUserOptions } from '@/data/api/current-user'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

type App = Parameters<typeof renderApp>[0]

const ada = makeUser({ email: 'ada@example.com', pending_email: 'new@example.com' })
const url = '/confirm-email?token=some-token'
const logInText = 'Log in to confirm your address.'

async function open() {
  const opened = await renderApp({ url, user: ada })
  await screen.findByRole('heading', { name: 'Confirm Email' })
  return opened
}

const press = async ({ actor }: Awaited<ReturnType<typeof open>>, name = 'Confirm') =>
  actor.click(await screen.findByRole('button', { name }))

describe('in a session', () => {
  test('sends the token on a press, and not before, and shows the new address then', async () => {
    const app = await open()
    expect(document.title).toBe('Confirm Email - Steward')
    expect(await screen.findByText('Continue only if this account is yours.')).toBeInTheDocument()
    expect(screen.queryByText(/@example\.com/)).not.toBeInTheDocument()
    expect(requestsTo('POST /email-confirmation')).toEqual([])
    if (app.backend.user) Object.assign(app.backend.user, { email: 'new@example.com', pending_email: null })
    await press(app)
    await expectToast('The address is confirmed.')
    expect(await screen.findByRole('heading', { name: /^Hi, / })).toBeInTheDocument()
    await waitFor(() =>
      expect(app.queryClient.getQueryData(currentUserOptions.queryKey)).toMatchObject({ email: 'new@example.com' }),
    )
    const sent = requestsTo('POST /email-confirmation').map(({ body, token }) => [body, token])
    expect(sent).toEqual([[{ token: 'some-token' }, app.backend.token]])
  })

  test('a used link says that the address may already be confirmed', async () => {
    const app = await open()
    network.use(http.post('*/email-confirmation', () => refusal(400, 'Invalid token')))
    await press(app)
    expect(await screen.findByRole('alert')).toHaveTextContent('If you already confirmed it, there is nothing to do.')
    expect(screen.getByRole('button', { name: 'Confirm' })).toBeEnabled()
  })

  test('an address that is taken by now is a toast with the reason', async () => {
    const app = await open()
    network.use(http.post('*/email-confirmation', () => refusal(409, 'A user with this email already exists')))
    await press(app)
    await expectToast('A user with this email already exists')
  })

  test('of another account says so, and one can log out and go on', async () => {
    const app = await open()
    const refused = { detail: 'Invalid token', other_account: true }
    network.use(http.post('*/email-confirmation', () => HttpResponse.json(refused, { status: 400 })))
    await press(app)
    expect(await screen.findByText('This link belongs to another account.')).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Confirm Email' })).toHaveFocus()
    expect(screen.queryByText('Invalid token')).not.toBeInTheDocument()
    await press(app, 'Log Out and Continue')
    expect(await screen.findByText(logInText)).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Confirm Email' })).toHaveFocus()
    expect(app.router.state.location.href).toBe(url)
    expect(localStorage.getItem('access_token')).toBeNull()
  })

  test('that ends meanwhile asks to log in', async () => {
    const app = await open()
    network.use(http.post('*/email-confirmation', () => refusal(401, 'Could not validate credentials')))
    await press(app)
    expect(await screen.findByText(/Log in to confirm your address|Your session has ended/)).toBeInTheDocument()
  })
})

describe('signed out', () => {
  const visitor = { prepare: (backend: Parameters<NonNullable<App['prepare']>>[0]) => void (backend.user = ada) }

  async function openAsVisitor() {
    const app = await renderApp({ url, ...visitor })
    expect(await screen.findByText(logInText)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument()
    await app.actor.click(screen.getByRole('link', { name: 'Log In' }))
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toHaveFocus()
    return app
  }

  test('asks to log in, and comes back after the log-in', async () => {
    const { actor, backend, router } = await openAsVisitor()
    await actor.type(await screen.findByLabelText(/^Email/), ada.email)
    await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
    await actor.click(await screen.findByRole('button', { name: 'Confirm' }))
    await expectToast('The address is confirmed.')
    expect(requestsTo('POST /email-confirmation').map(({ body }) => body)).toEqual([{ token: 'some-token' }])
    expect(router.state.location.href).toBe('/')
  })

  test('comes back after a log-in with a company account', async () => {
    const provider = { name: 'Example Corp', log_out: null }
    const { actor } = await renderApp({ url, prepare: ({ identities }) => void (identities.provider = provider) })
    await actor.click(await screen.findByRole('link', { name: 'Log In' }))
    const link = await screen.findByRole('link', { name: 'Log in with Example Corp' })
    const { searchParams } = new URL(link.getAttribute('href') ?? '', window.location.origin)
    expect(searchParams.get('return_to')).toBe(url)
  })

  test('with the session of a link that has ended asks, too', async () => {
    localStorage.setItem('access_token', 'ended long ago')
    await renderApp({ url, ...visitor })
    expect(await screen.findByText(logInText)).toBeInTheDocument()
  })

  test('an incomplete link says so, and asks for nothing', async () => {
    await renderApp({ url: '/confirm-email' })
    expect(await screen.findByText(/This link is incomplete/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: 'Log In' })).not.toBeInTheDocument()
  })
})
