import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'
import { message } from '../../support/responses'

const url = '/accept-invitation?token=1e400'

async function open(at = url, prepare?: Parameters<typeof renderApp>[0]['prepare']) {
  const app = await renderApp({ url: at, ...(prepare && { prepare }) })
  const password = await screen.findByLabelText(/^New Password/)
  const confirmation = screen.getByLabelText(/^Confirm Password/)
  const button = screen.getByRole('button', { name: 'Set Password' })
  async function submit() {
    await app.actor.type(password, 'a new password')
    await app.actor.type(confirmation, 'a new password')
    await app.actor.click(button)
  }
  return { ...app, name: screen.getByLabelText('Full Name'), password, confirmation, button, submit }
}

const sent = () => requestsTo('POST /accept-invitation').map(({ body }) => body)

describe('/accept-invitation', () => {
  test('sends the token of the URL, the password and the name, and opens the log-in page', async () => {
    const { actor, name, submit } = await open()
    expect(screen.getByRole('heading', { name: 'Welcome' })).toBeInTheDocument()
    expect(document.title).toBe('Welcome - Steward')
    await actor.type(name, ' Grace Hopper ')
    await submit()
    await expectToast('Your password is set.', 'success')
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toHaveFocus()
    expect(sent()).toEqual([{ token: '1e400', password: 'a new password', full_name: 'Grace Hopper' }])
  })

  test('opened while somebody is logged in names that account, and offers to log out; the token is not spent', async () => {
    const ada = makeUser({ email: 'ada@example.com' })
    const { actor, router } = await renderApp({ url, user: ada })
    expect(await screen.findByText(/^You are logged in as/)).toHaveTextContent('You are logged in as ada@example.com.')
    expect(screen.queryByLabelText(/^New Password/)).not.toBeInTheDocument()
    expect(sent()).toEqual([])
    await actor.click(screen.getByRole('button', { name: 'Log Out and Continue' }))
    await actor.type(await screen.findByLabelText(/^New Password/), 'a new password')
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(requestsTo('POST /logout')).toHaveLength(1)
    expect(router.state.location.href).toBe(url)
    await actor.type(screen.getByLabelText(/^Confirm Password/), 'a new password{Enter}')
    await expectToast('Your password is set.', 'success')
    expect(sent()).toEqual([{ token: '1e400', password: 'a new password' }])
  })

  test('moves the focus to the heading after a log-out, and leads back to the dashboard', async () => {
    const { actor } = await renderApp({ url, user: makeUser() })
    expect(await screen.findByRole('link', { name: 'back to the dashboard' })).toHaveAttribute('href', '/')
    await actor.click(screen.getByRole('button', { name: 'Log Out and Continue' }))
    await screen.findByLabelText(/^New Password/)
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Welcome' })).toHaveFocus())
  })

  test('says what the first proof of the address removed', async () => {
    const { submit } = await open()
    const removed = 'The passkeys that were set up before this address was confirmed were removed'
    network.use(http.post('*/accept-invitation', () => message(`Password set successfully. ${removed}`)))
    await submit()
    await expectToast(`Your password is set. ${removed}.`, 'success')
  })

  test('without a name the account keeps its name', async () => {
    const { submit } = await open()
    await submit()
    await waitFor(() => expect(sent()).toEqual([{ token: '1e400', password: 'a new password' }]))
  })

  test('the shared rules apply to the passwords', async () => {
    const { actor, button, password, confirmation } = await open()
    await actor.click(button)
    expect(await screen.findByText('Password is required')).toBeInTheDocument()
    expect(password).toHaveFocus()
    await actor.type(password, 'short')
    await actor.type(confirmation, 'other')
    await actor.tab()
    expect(await screen.findByText('The passwords do not match')).toBeInTheDocument()
    expect(screen.getByText('Password must be at least 8 characters')).toBeInTheDocument()
    expect(sent()).toEqual([])
  })

  test('an invalid token shows a toast, and the page stays open', async () => {
    const { submit, password, router } = await open()
    network.use(http.post('*/accept-invitation', () => refusal(400, 'Invalid token')))
    await submit()
    await expectToast('Invalid token', 'error')
    expect(router.state.location.href).toBe(url)
    expect(password).toHaveValue('a new password')
  })

  test('without a token the page warns beforehand, and submitting sends nothing, as on /reset-password', async () => {
    const { submit } = await open('/accept-invitation')
    expect(screen.getByText(/This link is incomplete/)).toBeInTheDocument()
    await submit()
    await expectToast('Your password is set.')
    expect(sent()).toEqual([])
  })

  test('an expired session is removed, and the link still works', async () => {
    const { router } = await open(url, () => localStorage.setItem('access_token', 'ended long ago'))
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(router.state.location.href).toBe(url)
  })
})
