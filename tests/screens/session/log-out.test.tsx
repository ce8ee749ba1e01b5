import { cleanup, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp, roundTrip } from '../../support/render-app'

const ada = makeUser({ full_name: 'Ada Lovelace' })
const KEY = 'unconfirmed_log_outs'
const word = 'You are logged out here, but the server did not confirm it.'

async function logOut() {
  const { actor, backend } = await renderApp({ url: '/', user: ada })
  await actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  const entry = await screen.findByRole('menuitem', { name: 'Log out' })
  return { actor, entry, token: backend.token }
}

async function reload(options: Partial<Parameters<typeof renderApp>[0]> = {}) {
  cleanup()
  return renderApp({ url: '/login', ...options })
}

function waiting(token: string, { age = 0 } = {}): void {
  localStorage.setItem(KEY, JSON.stringify([{ token, at: Date.now() - age }]))
}

const tokens = () => requestsTo('POST /logout').map(({ token }) => token)

test('a log-out that the server confirms leaves no token', async () => {
  const { actor, entry, token } = await logOut()
  await actor.click(entry)
  await screen.findByRole('heading', { name: 'Login to your account' })
  await waitFor(() => expect(localStorage).toHaveLength(0))
  expect(tokens()).toEqual([token])
  expect(screen.queryByText(word)).not.toBeInTheDocument()
})

test.each([
  ['the server refuses', () => refusal(503, 'Try again later')],
  ['does not reach the server', () => HttpResponse.error()],
  ['something else answers', () => HttpResponse.html('<title>Wi-Fi</title>')],
])('a log-out that %s says so, and is repeated at the next reload', async (_, answer) => {
  const { actor, entry, token } = await logOut()
  network.use(http.post('*/logout', answer, { once: true }))
  await actor.click(entry)
  await screen.findByRole('heading', { name: 'Login to your account' })
  await expectToast(word, 'error')
  expect(localStorage.getItem('access_token')).toBeNull()
  expect(localStorage.getItem(KEY)).toContain(token)

  await reload({ prepare: (backend) => void (backend.user = ada) })
  await waitFor(() => expect(localStorage).toHaveLength(0))
  expect(tokens()).toEqual([token, token])
})

test('a repeated log-out does not end the session of the next user', async () => {
  waiting('of the last user')
  await reload({ url: '/', user: ada })
  await screen.findByRole('heading', { name: /^Hi/ })
  await waitFor(() => expect(localStorage.getItem(KEY)).toBeNull())
  expect(tokens()).toEqual(['of the last user'])
  await roundTrip()
  expect(localStorage.getItem('access_token')).not.toBeNull()
  expect(screen.getByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
})

test('a log-out is not repeated if its session has ended by itself', async () => {
  waiting('a day old', { age: 25 * 60 * 60_000 })
  await reload()
  await screen.findByRole('heading', { name: 'Login to your account' })
  expect(localStorage).toHaveLength(0)
  expect(tokens()).toEqual([])
})

test.each(['{', '{}', '[null]'])('%s, which is no list of log-outs, is removed', async (value) => {
  localStorage.setItem(KEY, value)
  await reload()
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  expect(localStorage).toHaveLength(0)
})
