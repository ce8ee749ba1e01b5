import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { resources } from '@/data/resources'
import { resources as listed } from '@/lib/resources'
import { makeUser } from '../../support/backend'
import { requestsTo } from '../../support/network'
import { renderApp } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const ada = makeUser()
const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace Hopper' })

async function open(url: string, user = root, prepare: Parameters<typeof renderApp>[0]['prepare'] = () => undefined) {
  const app = await renderApp({
    url,
    user,
    prepare: (backend) => {
      backend.users.push(user, grace)
      for (const { table, searched } of anyResource)
        for (const name of ['Grace notes', 'Plan']) backend.rowsOf(table).push(makeRow(table, { [searched[0]]: name }))
      prepare(backend)
    },
  })
  await screen.findByRole('heading', { level: 1 })
  return { ...app, href: () => app.router.state.location.href }
}

async function openPalette(...given: Parameters<typeof open>) {
  const app = await open(...given)
  await app.actor.keyboard('{Control>}k{/Control}')
  const dialog = await screen.findByRole('dialog', { name: 'Search and go to' })
  const box = within(dialog).getByRole('combobox')
  const options = () =>
    within(dialog)
      .queryAllByRole('option')
      .map(({ textContent }) => textContent)
  return { ...app, dialog, box, options }
}

const lists = resources.map(({ title }) => title)
const additions = resources.map(({ noun }) => `Add ${noun.replace(/^./, (letter) => letter.toUpperCase())}`)
const others = ['Security', 'Settings']
const tabs = ['Settings: Password', 'Settings: Appearance']
const themes = ['Theme: System', 'Theme: Light', 'Theme: Dark']

test('it has every page and action that the user may open, in the order of the sidebar', async () => {
  const { options, box } = await openPalette('/')
  expect(box).toHaveFocus()
  const pages = ['Dashboard', ...lists, 'Users', 'Audit Log', ...others]
  const actions = [...additions, 'Add User', 'Invite User', 'Import CSV', 'Keyboard shortcuts', 'Log out']
  expect(options()).toEqual([...pages, ...tabs, ...actions, ...themes])
  for (const option of screen.getAllByRole('option')) expect(option.querySelector('svg')).toBeInTheDocument()
})

test('each group has one heading, also with a page that is found by other words', async () => {
  const { dialog, actor, options } = await openPalette('/')
  await actor.keyboard('log')
  await waitFor(() => expect(options()).toEqual(['Audit Log', 'Security', 'Log out']))
  expect(within(dialog).getAllByRole('group')).toHaveLength(2)
})

test('a regular user has no pages and actions of superusers, and searches no people', async () => {
  const { options, actor } = await openPalette('/', ada)
  const pages = ['Dashboard', ...lists, ...others, ...tabs, 'Settings: Danger Zone']
  expect(options()).toEqual([...pages, ...additions, 'Keyboard shortcuts', 'Log out', ...themes])
  await actor.keyboard('grace')
  await waitFor(() => expect(options()).toEqual(anyResource.map(() => 'Grace notes')))
  expect(requestsTo('GET /users/')).toEqual([])
})

test.each(anyResource)('people and $table are found by the server, and chosen with the keys', async ({ table }) => {
  const { actor, backend, box, options, href } = await openPalette('/settings')
  await actor.keyboard('gra')
  await actor.keyboard('ce')
  await waitFor(() => expect(options()).toEqual(['Grace Hoppergrace@example.com', 'Grace notes']))
  for (const list of ['users', table])
    expect(requestsTo(`GET /${list}/`).map(({ query }) => query)).toEqual(['?q=grace&limit=5'])
  await actor.keyboard('{ArrowDown}')
  const chosen = screen.getByRole('option', { selected: true })
  expect(chosen).toHaveTextContent('Grace notes')
  expect(box).toHaveAttribute('aria-activedescendant', chosen.id)
  await actor.keyboard('{Enter}')
  const [row] = backend.rowsOf(table)
  const hasPages = listed.find(({ tag }) => tag === table)?.hasPages
  await waitFor(() => expect(href()).toBe(hasPages ? `/${table}/${row?.id}` : `/${table}?edit=${row?.id}`))
})

test('a person is found by the server, and opened by Enter', async () => {
  const { actor, options, href } = await openPalette('/')
  await actor.keyboard('grace')
  await waitFor(() => expect(options()[0]).toBe('Grace Hoppergrace@example.com'))
  await actor.keyboard('{ArrowDown}{ArrowUp}{Enter}')
  expect(await screen.findByRole('heading', { name: 'Grace Hopper' })).toBeInTheDocument()
  expect(href()).toBe(`/users/${grace.id}`)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

test('what nobody has is not found', async () => {
  const { actor, dialog } = await openPalette('/')
  await actor.keyboard('no such thing')
  await waitFor(() => expect(within(dialog).getByRole('status')).toHaveTextContent('Nothing found'))
})

test('it opens dialogs and sets the theme', async () => {
  const { actor, href } = await openPalette('/')
  await actor.keyboard('invite{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Invite User' })).toBeInTheDocument()
  expect(href()).toBe('/users?invite')
  // It does not open over another dialog.
  await actor.keyboard('{Control>}k{/Control}')
  expect(screen.queryByRole('dialog', { name: 'Search and go to' })).not.toBeInTheDocument()
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await actor.keyboard('{Meta>}k{/Meta}')
  await screen.findByRole('dialog', { name: 'Search and go to' })
  await actor.keyboard('dark')
  await actor.click(screen.getByRole('option', { name: 'Theme: Dark' }))
  await waitFor(() => expect(document.documentElement).toHaveClass('dark'))
})

test('Escape and Ctrl+K close it, and the focus returns', async () => {
  const { actor } = await open('/users')
  const button = await screen.findByRole('button', { name: 'Search and go to' })
  act(() => button.focus())
  const box = await screen.findByRole('searchbox')
  act(() => box.focus())
  for (const close of ['{Escape}', '{Control>}k{/Control}']) {
    await actor.keyboard('{Control>}k{/Control}')
    await screen.findByRole('dialog', { name: 'Search and go to' })
    await actor.keyboard(close)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(box).toHaveFocus()
  }
  await actor.click(button)
  await screen.findByRole('dialog', { name: 'Search and go to' })
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(button).toHaveFocus())
})

test('? lists the keys, but not while somebody types or over a dialog', async () => {
  const { actor } = await open('/users')
  const box = await screen.findByRole('searchbox')
  await actor.type(box, '?')
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(box).toHaveValue('?')
  await actor.clear(box)
  const check = await screen.findByRole('checkbox', { name: 'Select grace@example.com' })
  await actor.click(check)
  // The focus is on a checkbox, where `/` is no text.
  await actor.keyboard('/')
  expect(box).toHaveFocus()
  act(() => check.focus())
  await actor.keyboard('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(
    within(dialog)
      .getAllByRole('term')
      .map(({ textContent }) => textContent),
  ).toContain('Ctrl K')
})

test('the list of keys, opened from the palette, gives the focus back to what had it before', async () => {
  const { actor } = await open('/users')
  const row = await screen.findByRole('link', { name: 'Grace Hopper' })
  act(() => row.focus())
  await actor.keyboard('{Control>}k{/Control}')
  await screen.findByRole('combobox', { name: 'Search and go to' })
  await actor.keyboard('keyboard shortcuts{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement))
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  await waitFor(() => expect(row).toHaveFocus())
})

test('↓ leads from the search box into the rows, and ↑ back; Enter opens a row', async () => {
  const { actor } = await open('/users')
  const box = await screen.findByRole('searchbox')
  act(() => box.focus())
  await actor.keyboard('{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Root' })).toHaveFocus()
  await actor.keyboard('{ArrowDown}{ArrowDown}')
  expect(screen.getByRole('link', { name: 'Grace Hopper' })).toHaveFocus()
  await actor.keyboard('{ArrowUp}{ArrowUp}')
  expect(box).toHaveFocus()
  await actor.keyboard('{ArrowDown}{Enter}')
  expect(await screen.findByRole('heading', { name: 'Root' })).toBeInTheDocument()
})

test.each([
  ['import', 'Import CSV'],
  ['export', [...lists, 'Users', 'Audit Log']],
  ['password', 'Settings: Password'],
  ['passkey', 'Security'],
  ['two-step', 'Security'],
  ['2FA', 'Security'],
  ['log out', 'Log out'],
  ['theme', [...themes, 'Settings: Appearance']],
])('“%s” finds what people mean by it', async (typed, found) => {
  const { actor, options } = await openPalette('/')
  await actor.keyboard(typed)
  expect(options()).toEqual([found].flat())
})

test('of more than five, it leads to all', async () => {
  const { actor, options, href } = await openPalette('/', root, (backend) => {
    for (let i = 0; i < 7; i += 1) backend.users.push(makeUser({ email: `grace${i}@example.com` }))
  })
  await actor.keyboard('grace')
  await waitFor(() => expect(options()).toContain('Show all 8'))
  await actor.click(screen.getByRole('option', { name: 'Show all 8' }))
  expect(await screen.findByRole('heading', { name: 'Users' })).toBeInTheDocument()
  expect(href()).toBe('/users?q=grace')
})

test('Log out ends the session', async () => {
  const { actor, router } = await openPalette('/')
  await actor.keyboard('log out{Enter}')
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
})

test('it is its field, whose name is that of the dialog', async () => {
  const { dialog } = await openPalette('/')
  expect(within(dialog).getByRole('heading', { name: 'Search and go to' }).parentElement).toHaveClass('sr-only')
  expect(dialog).not.toHaveAccessibleDescription()
})
