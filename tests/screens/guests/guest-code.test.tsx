import { screen } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { reloadWhereOutdated } from '@/data/reload-outdated'
import { expectConsoleError } from '../../support/console'
import { network } from '../../support/network'
import { renderApp } from '../../support/render-app'

/** Whether the code of the sign-up page can be loaded. */
const code = vi.hoisted(() => ({ loads: true }))

vi.mock('@/features/auth/signup-page', async (importOriginal) => {
  if (!code.loads) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

test('a guest page whose code does not load says so, and loads on retry', async () => {
  code.loads = false
  expectConsoleError(/error boundary|Error in route match/)
  // If the server answered, the application would take the failure for an outdated page and reload.
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor } = await renderApp({ url: '/login' })
  await actor.click(await screen.findByRole('link', { name: 'Sign up' }))
  expect(await screen.findByRole('heading', { name: 'Something went wrong!' })).toBeInTheDocument()
  code.loads = true
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
