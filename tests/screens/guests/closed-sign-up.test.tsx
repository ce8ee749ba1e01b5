import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { renderApp } from '../../support/render-app'

const close = (backend: Backend) => void (backend.people.signUp = 'closed')

test('/login shows no link to sign up', async () => {
  await renderApp({ url: '/login', prepare: close })
  await screen.findByRole('heading', { name: 'Login to your account' })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument())
  expect(screen.getByLabelText(/^Email/)).toBeInTheDocument()
})

test('/signup shows whom to ask instead of the form; /login does not request this again', async () => {
  const { actor } = await renderApp({ url: '/signup', prepare: close })
  expect(await screen.findByText('Sign-up is closed. Please ask an administrator for an account.')).toBeInTheDocument()
  expect(screen.getByRole('heading', { name: 'Sign Up' })).toBeInTheDocument()
  expect(screen.queryByRole('textbox')).not.toBeInTheDocument()
  await actor.click(screen.getByRole('link', { name: 'Log In' }))
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument()
  expect(requestsTo('GET /instance')).toHaveLength(1)
})

test('the line of the link keeps its place, so that the page does not move', async () => {
  await renderApp({ url: '/login', prepare: close })
  await screen.findByRole('heading', { name: 'Login to your account' })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument())
  expect(screen.getByText("Don't have an account?")).not.toBeVisible()
})

test('after a log-out, /login never shows a link that this browser knows to be closed', async () => {
  const ada = makeUser()
  const { actor, backend } = await renderApp({ url: '/login', prepare: close })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument())
  backend.user = ada
  await actor.type(await screen.findByLabelText(/^Email/), ada.email)
  await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
  await actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
  network.use(http.get('*/instance', never))
  await actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
  await screen.findByRole('heading', { name: 'Login to your account' })
  expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument()
})

test('an expired session redirects to a log-in page without the link to sign up', async () => {
  localStorage.setItem('access_token', 'ended long ago')
  await renderApp({ url: '/users', prepare: close })
  await screen.findByRole('heading', { name: 'Login to your account' })
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Sign up' })).not.toBeInTheDocument())
})

test.each([
  ['says that it is open', () => undefined],
  ['is a 404', (backend: Backend) => void (backend.people.isKnown = false)],
  ['is a 409', () => network.use(http.get('*/instance', () => refusal(409, 'Not now')))],
  ['is lost', () => network.use(http.get('*/instance', () => HttpResponse.error()))],
  ['has another shape', () => network.use(http.get('*/instance', () => HttpResponse.json('<html>')))],
  ['does not arrive', () => network.use(http.get('*/instance', never))],
])('people can sign up if the response about sign-up %s', async (_, prepare) => {
  const { actor } = await renderApp({ url: '/login', prepare })
  await waitFor(() => expect(requestsTo('GET /instance')).toHaveLength(1))
  await actor.click(await screen.findByRole('link', { name: 'Sign up' }))
  expect(await screen.findByLabelText(/^Full Name/)).toBeInTheDocument()
})
