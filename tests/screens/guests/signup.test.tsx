import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

async function openSignup() {
  const app = await renderApp({ url: '/signup' })
  const name = await screen.findByLabelText(/^Full Name/)
  const email = screen.getByLabelText(/^Email/)
  const password = screen.getByLabelText(/^Password/)
  const confirmation = screen.getByLabelText(/^Confirm Password/)
  const button = screen.getByRole('button', { name: 'Sign Up' })
  async function submit() {
    await app.actor.type(name, 'Ada')
    await app.actor.type(email, 'ada@example.com')
    await app.actor.type(password, 'a long password')
    await app.actor.type(confirmation, 'a long password')
    await app.actor.click(button)
  }
  return { ...app, name, email, password, confirmation, button, submit }
}

describe('/signup', () => {
  test('SPEC 2: title, text, and the link to the log-in page', async () => {
    const { actor, router } = await openSignup()
    expect(screen.getByRole('heading', { name: 'Sign Up' })).toBeInTheDocument()
    expect(screen.getByText('Enter your details below to create an account.')).toBeInTheDocument()
    expect(document.title).toBe('Sign up - Steward')
    await actor.click(screen.getByRole('link', { name: 'Log In' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  })

  test('SPEC 4: success opens the log-in page; the confirmation is not sent', async () => {
    const { actor, name, email, password, confirmation, button, router } = await openSignup()
    await actor.type(name, ' Grace Hopper ')
    await actor.type(email, 'grace@example.com')
    await actor.type(password, 'a long password')
    await actor.type(confirmation, 'a long password')
    await actor.click(button)
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toHaveFocus()
    expect(router.state.location.pathname).toBe('/login')
    expect(screen.getByRole('status')).toHaveTextContent('Account created. Log in to continue.')
    expect(screen.getByLabelText(/^Email/)).toHaveValue('grace@example.com')
    expect(requestsTo('POST /users/signup').map(({ body }) => body)).toEqual([
      { full_name: 'Grace Hopper', email: 'grace@example.com', password: 'a long password' },
    ])
  })

  test('SPEC 5: every empty required field shows a message; the first one gets the focus', async () => {
    const { actor, name, button } = await openSignup()
    await actor.click(button)
    expect(await screen.findByText('Full Name is required')).toBeInTheDocument()
    expect(screen.getByText('Email is required')).toBeInTheDocument()
    expect(screen.getByText('Password is required')).toBeInTheDocument()
    expect(screen.getByText('Password confirmation is required')).toBeInTheDocument()
    expect(name).toHaveFocus()
    expect(requestsTo('POST /users/signup')).toEqual([])
  })

  test('SPEC 5: a short password and a mismatch show messages on blur, even while other fields are empty', async () => {
    const { actor, password, confirmation } = await openSignup()
    await actor.type(password, 'short')
    await actor.type(confirmation, 'other')
    expect(await screen.findByText('Password must be at least 8 characters')).toBeInTheDocument()
    expect(screen.queryByText('The passwords do not match')).not.toBeInTheDocument()
    await actor.tab()
    expect(await screen.findByText('The passwords do not match')).toBeInTheDocument()
    expect(screen.queryByText('Email is required')).not.toBeInTheDocument()
  })

  test('the message about a mismatch disappears when the password is corrected', async () => {
    const { actor, password, confirmation } = await openSignup()
    await actor.type(password, 'first password')
    await actor.type(confirmation, 'second password')
    await actor.tab()
    expect(await screen.findByText('The passwords do not match')).toBeInTheDocument()
    await actor.clear(password)
    await actor.type(password, 'second password')
    await actor.tab()
    await waitFor(() => expect(screen.queryByText('The passwords do not match')).not.toBeInTheDocument())
  })

  test('SPEC 8: a taken email address shows a toast, is marked and focused, and the form keeps its text', async () => {
    const { actor, name, email, password, submit, router } = await openSignup()
    network.use(http.post('*/users/signup', () => refusal(409, 'A user with this email already exists')))
    await submit()
    await expectToast('A user with this email already exists')
    expect(router.state.location.pathname).toBe('/signup')
    expect(name).toHaveValue('Ada')
    expect(password).toHaveValue('a long password')
    await waitFor(() => expect(email).toHaveFocus())
    expect(email).toBeInvalid()
    expect(email).toHaveAccessibleDescription('A user with this email already exists')
    await actor.type(email, '.au')
    await waitFor(() => expect(email).toBeValid())
    expect(email).toHaveAccessibleDescription('')
  })

  test('a 422 with a list shows its first message, and each under its field, and focuses the first one', async () => {
    const { email, name, password, submit } = await openSignup()
    const detail = [
      { loc: ['body', 'email'], msg: 'Value is not a valid email address', type: 'pattern' },
      { loc: ['body', 'password'], msg: 'Second', type: 'x' },
    ]
    network.use(http.post('*/users/signup', () => refusal(422, detail)))
    await submit()
    await expectToast('Value is not a valid email address')
    await waitFor(() => expect(email).toHaveFocus())
    expect([email, password, name].map((field) => field.getAttribute('aria-invalid'))).toEqual([
      'true',
      'true',
      'false',
    ])
    expect(email).toHaveAccessibleDescription('Value is not a valid email address')
    expect(password).toHaveAccessibleDescription('Second')
  })

  test('each field has an autocomplete value for password managers', async () => {
    const { name, email, password, confirmation } = await openSignup()
    expect([name, email, password, confirmation].map((field) => field.getAttribute('autocomplete'))).toEqual([
      'name',
      'email',
      'new-password',
      'new-password',
    ])
  })
})
