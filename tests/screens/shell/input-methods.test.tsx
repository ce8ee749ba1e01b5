import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { resources } from '@/lib/resources'
import { makeUser } from '../../support/backend'
import { renderApp, roundTrip } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

async function open(url: string) {
  const app = await renderApp({ url, user: root, prepare: ({ users }) => users.push(makeUser(), root) })
  await screen.findByRole('heading', { level: 1, hidden: true })
  return { ...app, href: () => app.router.state.location.href }
}

/** Keys that belong to an input method. Safari reports the key that ends a composition with code 229. */
const keys: [string, KeyboardEventInit & { keyCode?: number }][] = [
  ['while it composes', { isComposing: true }],
  ['that Safari reports after it', { keyCode: 229 }],
]

test.each(keys)('Escape of an input method, %s, keeps a dialog and its text', async (_, state) => {
  const { actor } = await open('/users?add')
  const name = await screen.findByLabelText('Full Name')
  await actor.type(name, 'にほ')
  fireEvent.keyDown(name, { key: 'Escape', ...state })
  expect(screen.getByRole('dialog', { name: 'Add User' })).toHaveAttribute('data-state', 'open')
  expect(name).toHaveValue('にほ')
  fireEvent.keyDown(name, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test.each(keys)('Enter and arrows of an input method, %s, do nothing in the palette', async (_, state) => {
  const { actor, href } = await open('/')
  await actor.keyboard('{Control>}k{/Control}')
  const box = await screen.findByRole('combobox')
  const active = box.getAttribute('aria-activedescendant')
  fireEvent.keyDown(box, { key: 'ArrowDown', ...state })
  expect(box).toHaveAttribute('aria-activedescendant', active)
  fireEvent.keyDown(box, { key: 'Enter', ...state })
  fireEvent.keyDown(box, { key: 'Escape', ...state })
  expect(screen.getByRole('dialog')).toBeInTheDocument()
  fireEvent.keyDown(box, { key: 'ArrowDown' })
  fireEvent.keyDown(box, { key: 'Enter' })
  await waitFor(() => expect(href()).toBe(`/${resources.map(({ tag }): string => tag)[0] ?? 'users'}`))
})

test.each(keys)('keys of an input method, %s, do nothing in a list', async (_, state) => {
  const { actor } = await open('/users')
  const box = await screen.findByRole('searchbox')
  await screen.findByRole('table')
  await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  const bar = await screen.findByRole('region', { name: 'Selected users' })
  fireEvent.keyDown(document.body, { key: 'Escape', ...state })
  expect(bar).toBeInTheDocument()
  await actor.click(box)
  fireEvent.keyDown(box, { key: 'ArrowDown', ...state })
  expect(box).toHaveFocus()
  fireEvent.keyDown(box, { key: 'ArrowDown' })
  expect(box).not.toHaveFocus()
})

test.each(keys)('Enter of an input method, %s, shows no table of the people to invite', async (_, state) => {
  const { actor } = await open('/users?invite')
  const box = await screen.findByLabelText(/^Email/)
  await actor.type(box, 'one@example.com, two@example.com')
  fireEvent.keyDown(box, { key: 'Enter', ...state })
  await roundTrip()
  expect(screen.queryByRole('table', { name: 'People' })).not.toBeInTheDocument()
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(await screen.findByRole('table', { name: 'People' })).toBeInTheDocument()
})

test.each([
  ['Russian', 'и', 'л'],
  ['Greek', 'β', 'κ'],
  ['Hebrew', 'נ', 'ל'],
])('Ctrl+B and Ctrl+K on a %s layout toggle the sidebar and open the palette', async (_, b, k) => {
  await open('/')
  const toggle = screen.getByRole('button', { name: 'Toggle sidebar' })
  expect(toggle).toHaveAttribute('aria-expanded', 'true')
  fireEvent.keyDown(document.body, { key: b, code: 'KeyB', ctrlKey: true })
  await waitFor(() => expect(toggle).toHaveAttribute('aria-expanded', 'false'))
  fireEvent.keyDown(document.body, { key: k, code: 'KeyK', metaKey: true })
  expect(await screen.findByRole('dialog', { name: 'Search and go to' })).toBeInTheDocument()
})
