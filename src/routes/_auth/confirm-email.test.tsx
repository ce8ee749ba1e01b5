import { screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { currentUserOptions } from '@/data/api/current-user'
import { makeUser, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { expectToast, renderApp } from '../../../tests/support/render-app'

type App = Parameters<typeof renderApp>[0]

async function open(app: Partial<App> = {}) {
  const opened = await renderApp({ url: '/confirm-email?token=some-token', ...app })
  await screen.findByRole('heading', { name: 'Confirm Email' })
  return { ...opened, button: screen.getByRole('button', { name: 'Confirm' }) }
}

test('sends the token on a press, and not before, and says whose account it is for', async () => {
  const { actor, button } = await open()
  expect(document.title).toBe('Confirm Email - Steward')
  expect(screen.getByText('Press only if this account is yours.')).toBeInTheDocument()
  expect(requestsTo('POST /email-confirmation')).toEqual([])
  await actor.click(button)
  await expectToast('The address is confirmed.')
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  expect(requestsTo('POST /email-confirmation').map(({ body }) => body)).toEqual([{ token: 'some-token' }])
})

test('works in a session, which shows the new address then', async () => {
  const user = makeUser({ email: 'ada@example.com', pending_email: 'new@example.com' })
  const { actor, button, backend, queryClient } = await open({ user })
  if (backend.user) Object.assign(backend.user, { email: 'new@example.com', pending_email: null })
  await actor.click(button)
  expect(await screen.findByRole('heading', { name: /^Hi, / })).toBeInTheDocument()
  await waitFor(() =>
    expect(queryClient.getQueryData(currentUserOptions.queryKey)).toMatchObject({ email: 'new@example.com' }),
  )
})

test('a link that was used says that all may be well', async () => {
  const { actor, button } = await open()
  network.use(http.post('*/email-confirmation', () => refusal(400, 'Invalid token')))
  await actor.click(button)
  expect(await screen.findByRole('alert')).toHaveTextContent('If you confirmed already, all is well.')
  expect(button).toBeEnabled()
})

test('an address that is taken by now is a toast with the reason', async () => {
  const { actor, button } = await open()
  network.use(http.post('*/email-confirmation', () => refusal(409, 'A user with this email already exists')))
  await actor.click(button)
  await expectToast('A user with this email already exists')
})

test('nothing is sent without a token', async () => {
  const { button } = await open({ url: '/confirm-email' })
  expect(screen.getByText(/This link is incomplete/)).toBeInTheDocument()
  expect(button).toBeDisabled()
})
