import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeItem, makeUser } from '../../../tests/support/backend'
import { network } from '../../../tests/support/network'
import { renderApp } from '../../../tests/support/render-app'

// What loads after the first paint: docs/decisions/0019-what-loads-when.md.

/** Loading of the code of dialogs, menus and messages. */
const code = vi.hoisted(() => ({ requests: 0, comes: true }))

vi.mock('@/features/items/dialogs/item-dialogs', async (importOriginal) => {
  if (!code.comes) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

vi.mock('@/components/lazy/interaction-code', async (importOriginal) => {
  code.requests += 1
  if (!code.comes) throw new TypeError('Failed to fetch dynamically imported module')
  return importOriginal()
})

/** Opens the items in a browser that saves data, so that code is only loaded on demand. */
async function openItems() {
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
  const app = await renderApp({
    url: '/items',
    user: makeUser(),
    prepare: (backend) => backend.items.push(makeItem({ title: 'Garden' })),
  })
  const menu = await screen.findByRole('button', { name: 'Actions for Garden' })
  return { ...app, menu }
}

const failure = 'This could not be loaded. Check your connection and try again.'

test('code is not requested while offline, because some browsers cache the failure', async () => {
  const { actor, menu } = await openItems()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  network.use(http.head('/', () => HttpResponse.error()))
  await actor.click(menu)
  expect(await screen.findByText(failure)).toBeInTheDocument()
  expect(code.requests).toBe(0)
})

test('a menu whose code fails to load says so, and opens at the next press', async () => {
  code.comes = false
  // The server is unreachable, so the page is not outdated.
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor, menu } = await openItems()
  await actor.click(menu)
  expect(await screen.findByText(failure)).toBeInTheDocument()
  expect(menu).not.toHaveAttribute('aria-busy')
  code.comes = true
  await actor.click(menu)
  expect(await screen.findByRole('menu')).toBeInTheDocument()
})

test('a dialog whose code fails to load says so, and opens at the next press', async () => {
  code.comes = false
  network.use(http.head('/', () => HttpResponse.error()))
  const { actor, router } = await openItems()
  const add = screen.getByRole('button', { name: 'Add Item' })
  await actor.click(add)
  expect(await screen.findByText(failure)).toBeInTheDocument()
  await waitFor(() => expect(router.state.location.href).toBe('/items'))
  code.comes = true
  await actor.click(add)
  expect(await screen.findByRole('dialog', { name: 'Add Item' })).toBeInTheDocument()
})

test('with data saver, code is requested when it is needed', async () => {
  const before = code.requests
  const { actor, menu } = await openItems()
  expect(code.requests).toBe(before)
  await actor.click(menu)
  expect(await screen.findByRole('menu')).toBeInTheDocument()
})
