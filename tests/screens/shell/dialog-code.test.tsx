import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeUser } from '../../support/backend'
import { expectConsoleError } from '../../support/console'
import { network } from '../../support/network'
import { listLoaded, renderApp } from '../../support/render-app'

// docs/decisions/0019-what-loads-when.md says which code loads after the first paint.

/** Whether the code of dialogs and menus can be loaded. */
const code = vi.hoisted(() => ({ requests: 0, loads: true }))

vi.mock('@/features/users/dialogs/user-dialogs', async (importOriginal) => {
  code.requests += 1
  if (!code.loads) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

vi.mock('@/components/radix-menu', async (importOriginal) => {
  if (!code.loads) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

async function openUsers() {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
  const app = await renderApp({
    url: '/users',
    user: makeUser({ is_superuser: true }),
    prepare: (backend) => backend.users.push(makeUser({ email: 'grace@example.com' })),
  })
  await listLoaded()
  return { ...app, add: screen.getByRole('button', { name: 'Add User' }) }
}

const failure = 'This could not be loaded. Check your connection and try again.'

test('code is not requested while offline, because some browsers cache the failure', async () => {
  expectConsoleError(/CodeLoadError/)
  const { actor, add } = await openUsers()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  network.use(http.head('/', () => HttpResponse.error()))
  await actor.click(add)
  expect(await screen.findByText(failure)).toBeInTheDocument()
  expect(code.requests).toBe(0)
})

test('a menu whose code fails to load says so, keeps the focus, and opens at the next press', async () => {
  expectConsoleError(/CodeLoadError/)
  code.loads = false
  // If the server answered, the application would take the failure for an outdated page and reload.
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor } = await openUsers()
  const menu = () => screen.getByRole('button', { name: 'Actions for grace@example.com' })
  await actor.click(menu())
  expect(await screen.findByText(failure)).toBeInTheDocument()
  await waitFor(() => expect(menu()).not.toHaveAttribute('aria-busy'))
  expect(menu()).toHaveFocus()
  code.loads = true
  await actor.click(menu())
  expect(await screen.findByRole('menu')).toBeInTheDocument()
})

test('a dialog whose code fails to load says so, and opens at the next press', async () => {
  expectConsoleError(/CodeLoadError/)
  code.loads = false
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor, router, add } = await openUsers()
  await actor.click(add)
  expect(await screen.findByText(failure)).toBeInTheDocument()
  await waitFor(() => expect(router.state.location.href).toBe('/users'))
  code.loads = true
  await actor.click(add)
  expect(await screen.findByRole('dialog', { name: 'Add User' })).toBeInTheDocument()
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(add).toHaveFocus()
})

test('with data saver, code is requested when it is needed', async () => {
  const before = code.requests
  const { actor, add } = await openUsers()
  expect(code.requests).toBe(before)
  await actor.click(add)
  expect(await screen.findByRole('dialog', { name: 'Add User' })).toBeInTheDocument()
})
