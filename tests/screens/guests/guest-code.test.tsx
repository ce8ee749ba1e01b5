import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { reloadWhereOutdated } from '@/data/reload-outdated'
import { expectConsoleError } from '../../support/console'
import { network } from '../../support/network'
import { renderApp } from '../../support/render-app'

/** Loading of the sign-up page's code. */
const code = vi.hoisted(() => ({ comes: true }))

vi.mock('@/features/auth/signup-page', async (importOriginal) => {
  if (!code.comes) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

test('a guest page whose code does not load says so, and loads on retry', async () => {
  code.comes = false
  expectConsoleError(/error boundary|Error in route match/)
  // The server is unreachable, so the page is not outdated.
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor } = await renderApp({ url: '/login' })
  await actor.click(await screen.findByRole('link', { name: 'Sign up' }))
  expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
  code.comes = true
  await actor.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Sign Up' })).toHaveFocus()
})

test.each([
  ['/login', /^Password/],
  ['/signup', /^Full Name/],
  ['/recover-password', /^Email/],
  ['/reset-password?token=some', /^New Password/],
  ['/accept-invitation?token=some', /^Full Name/],
])('text that was typed at %s is not discarded by a reload for a newer version', async (url, field) => {
  network.use(http.head('/', () => new HttpResponse()))
  const { actor } = await renderApp({ url })
  await actor.type(await screen.findByLabelText(field), 'correct horse')
  expect(await reloadWhereOutdated(new TypeError('Code that is gone'))).toBe(false)
})
