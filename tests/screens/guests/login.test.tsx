import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { renderApp } from '../../support/render-app'

const user = makeUser({ email: 'ada@example.com' })

async function openLogin() {
  const app = await renderApp({ url: '/login', prepare: (backend) => void (backend.user = user) })
  const email = screen.getByLabelText(/^Email/)
  const password = screen.getByLabelText(/^Password/)
  const button = screen.getByRole('button', { name: 'Login' })
  return { ...app, email, password, button }
}

describe('/login', () => {
  test('SPEC 4: success stores the token and navigates to the dashboard', async () => {
    const { actor, email, password, button, backend, router } = await openLogin()
    expect(document.title).toBe('Log in - Steward')
    await actor.type(email, 'ada@example.com')
    await actor.type(password, backend.password)
    await actor.click(button)
    expect(await screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })).toHaveFocus()
    expect(localStorage.getItem('access_token')).toBe(backend.token)
    expect(router.state.location.pathname).toBe('/')
    expect(document.title).toBe('Dashboard - Steward')
  })

  test('marks no field as required, as each is', async () => {
    const { email, password } = await openLogin()
    expect(document.body).not.toHaveTextContent('*')
    expect(email).toBeRequired()
    expect(password).toBeRequired()
  })

  test('the skeleton of the page is shown while the account loads', async () => {
    const { actor, email, password, backend } = await openLogin()
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/users/me', () => held.promise, { once: true }))
    await actor.type(email, 'ada@example.com')
    await actor.type(password, `${backend.password}{Enter}`)
    await waitFor(() => expect(screen.queryByRole('heading')).not.toBeInTheDocument())
    expect(screen.getByText('Steward')).toBeInTheDocument()
    held.resolve()
    expect(await screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })).toBeInTheDocument()
  })

  test('SPEC 2: a wrong password shows one red line under the fields, and the next attempt clears it', async () => {
    const { actor, email, password, button, backend } = await openLogin()
    await actor.type(email, 'ada@example.com')
    await actor.type(password, 'wrong')
    await actor.click(button)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Incorrect email or password'))
    expect(screen.getAllByText('Incorrect email or password')).toHaveLength(1)
    expect(email).toHaveValue('ada@example.com')
    expect(localStorage.getItem('access_token')).toBeNull()

    network.use(http.post('*/login/access-token', () => new Promise<never>(() => undefined)))
    await actor.type(password, backend.password)
    await actor.click(button)
    await waitFor(() => expect(screen.getByRole('alert')).toBeEmptyDOMElement())
  })

  test('SPEC 4: the error of the last attempt is cleared even if the next one fails validation', async () => {
    const { actor, email, password, button } = await openLogin()
    await actor.type(email, 'ada@example.com')
    await actor.type(password, 'wrong')
    await actor.click(button)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Incorrect email or password'))
    await actor.clear(password)
    await actor.click(button)
    expect(await screen.findByText('Password is required')).toBeInTheDocument()
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
  })

  test('a 401 on the log-in itself is a log-in error, and does not redirect', async () => {
    const { actor, email, password, button, router } = await openLogin()
    network.use(http.post('*/login/access-token', () => HttpResponse.json({ detail: 'Nope' }, { status: 401 })))
    await actor.type(email, 'ada@example.com')
    await actor.type(password, 'anything')
    await actor.click(button)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Nope'))
    expect(router.state.location.pathname).toBe('/login')
    expect(email).toHaveValue('ada@example.com')
  })

  test('too many attempts: the message says when to try again', async () => {
    const { actor, email, password } = await openLogin()
    const refused = refusal(429, 'Too many failed attempts, please try again later', { 'Retry-After': '700' })
    network.use(http.post('*/login/access-token', () => refused))
    await actor.type(email, 'ada@example.com')
    await actor.type(password, 'anything{Enter}')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(/later Try again in 12 minutes\.$/))
  })

  test('SPEC 4: several clicks send one request', async () => {
    const { actor, email, password, button, backend } = await openLogin()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.post('*/login/access-token', () => held))
    await actor.type(email, 'ada@example.com')
    await actor.type(password, `${backend.password}{Enter}{Enter}`)
    await actor.dblClick(button)
    release()
    await screen.findByRole('heading', { name: /^Hi/ })
    expect(requestsTo('POST /login/access-token')).toHaveLength(1)
  })

  test('SPEC 5: messages appear on blur; an empty field shows only that it is required', async () => {
    const { actor, email, button } = await openLogin()
    await actor.type(email, 'a@b')
    expect(screen.queryByText('Invalid email address')).not.toBeInTheDocument()
    await actor.tab()
    expect(await screen.findByText('Invalid email address')).toBeInTheDocument()
    expect(email).toBeInvalid()
    expect(email).toHaveAccessibleDescription('Invalid email address')

    await actor.clear(email)
    await actor.click(button)
    expect(await screen.findByText('Email is required')).toBeInTheDocument()
    expect(screen.queryByText('Invalid email address')).not.toBeInTheDocument()
    expect(screen.getByText('Password is required')).toBeInTheDocument()
    expect(email).toHaveFocus()
    expect(requestsTo('POST /login/access-token')).toEqual([])
  })

  test('SPEC 2: the password can be shown and hidden', async () => {
    const { actor, password } = await openLogin()
    expect(password).toHaveAttribute('type', 'password')
    await actor.click(password)
    const show = screen.getByRole('button', { name: 'Show password' })
    await actor.hover(show)
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Show password')
    await actor.click(show)
    expect(password).toHaveAttribute('type', 'text')
    expect(password).toHaveFocus()
    await actor.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(password).toHaveAttribute('type', 'password')
  })

  test('SPEC 2: a user with a token is redirected to the dashboard', async () => {
    const { router } = await renderApp({ url: '/login', user })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
  })
})
