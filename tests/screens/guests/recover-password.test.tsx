import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'
import { message } from '../../support/responses'

describe('/recover-password', () => {
  test('SPEC 2, 4: asks for the email address, reports success and clears the form', async () => {
    const { actor } = await renderApp({ url: '/recover-password' })
    expect(await screen.findByRole('heading', { name: 'Password Recovery' })).toBeInTheDocument()
    expect(screen.getByText('A password recovery email will be sent to the registered account.')).toBeInTheDocument()
    expect(document.title).toBe('Recover password - Steward')
    const email = screen.getByLabelText(/^Email/)
    await actor.type(email, 'ada+x@example.com{Enter}')
    await expectToast('Password recovery email sent successfully.')
    expect(email).toHaveValue('')
    expect(requestsTo(`POST /password-recovery/${encodeURIComponent('ada+x@example.com')}`)).toHaveLength(1)
  })

  test('SPEC 5: the email address is required and must be valid', async () => {
    const { actor } = await renderApp({ url: '/recover-password' })
    const email = await screen.findByLabelText(/^Email/)
    await actor.click(screen.getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('Email is required')).toBeInTheDocument()
    await actor.type(email, 'ada')
    expect(await screen.findByText('Invalid email address')).toBeInTheDocument()
  })
})

describe('/reset-password', () => {
  async function openReset(url: string, prepare?: Parameters<typeof renderApp>[0]['prepare']) {
    const app = await renderApp({ url, ...(prepare && { prepare }) })
    return {
      ...app,
      password: await screen.findByLabelText(/^New Password/),
      confirmation: screen.getByLabelText(/^Confirm Password/),
      button: screen.getByRole('button', { name: 'Reset Password' }),
    }
  }

  test('SPEC 4: sends the token of the URL and the password, and opens the log-in page', async () => {
    const { actor, password, confirmation, button } = await openReset('/reset-password?token=1e400')
    expect(document.title).toBe('Reset password - Steward')
    await actor.type(password, 'a new password')
    await actor.type(confirmation, 'a new password')
    await actor.click(button)
    await expectToast('Password updated successfully.')
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
    expect(requestsTo('POST /reset-password/').map(({ body }) => body)).toEqual([
      { token: '1e400', new_password: 'a new password', end_tokens: true },
    ])
  })

  test('says what the first proof of the address removed', async () => {
    const { actor, password, confirmation, button } = await openReset('/reset-password?token=x')
    const removed = 'The passkeys that were set up before this address was confirmed were removed'
    network.use(http.post('*/reset-password/', () => message(`Password updated successfully. ${removed}`)))
    await actor.type(password, 'a new password')
    await actor.type(confirmation, 'a new password')
    await actor.click(button)
    await expectToast(`Password updated successfully. ${removed}.`, 'success')
  })

  test('SPEC 5: without a token the page warns beforehand; submitting reports success and sends nothing', async () => {
    const { actor, password, confirmation, button } = await openReset('/reset-password')
    expect(screen.getByText(/This link is incomplete/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'ask for a new one' })).toHaveAttribute('href', '/recover-password')
    await actor.type(password, 'a new password')
    await actor.type(confirmation, 'a new password')
    await actor.click(button)
    await expectToast('Password updated successfully.')
    expect(requestsTo('POST /reset-password/')).toEqual([])
  })

  test('SPEC 8: an invalid token shows a toast, and the page stays open, with a link to request another mail', async () => {
    const { actor, password, confirmation, button, router } = await openReset('/reset-password?token=x')
    network.use(http.post('*/reset-password/', () => refusal(400, 'Invalid token')))
    await actor.type(password, 'a new password')
    await actor.type(confirmation, 'a new password')
    await actor.click(button)
    await expectToast('Invalid token')
    expect(screen.getByRole('alert')).toHaveTextContent('This link was used before or is too old.')
    expect(screen.getByRole('link', { name: 'Ask for a new one' })).toHaveAttribute('href', '/recover-password')
    expect(router.state.location.href).toBe('/reset-password?token=x')
    expect(password).toHaveValue('a new password')
  })

  test('an expired session is removed, and the link in the mail still works', async () => {
    const { router } = await openReset('/reset-password?token=x', () =>
      localStorage.setItem('access_token', 'ended long ago'),
    )
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(router.state.location.href).toBe('/reset-password?token=x')
  })

  test('SPEC 2: a user with a valid session is redirected to the dashboard', async () => {
    const { router } = await renderApp({ url: '/reset-password?token=x', user: makeUser() })
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })
})
