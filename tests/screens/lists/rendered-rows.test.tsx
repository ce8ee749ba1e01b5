import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type * as MenuModule from '@/components/menu'
import { type Backend, makeUser, manyUsers } from '../../support/backend'
import { itemsIn, manyItems } from '../../support/items/rows'
import { listLoaded, renderApp } from '../../support/render-app'

const rendered = vi.hoisted(() => ({ rows: [] as string[], tools: 0 }))

vi.mock('@/components/menu', async (importOriginal) => {
  const original = await importOriginal<typeof MenuModule>()
  const { IconMenu } = original
  return {
    ...original,
    IconMenu: (props: Parameters<typeof IconMenu>[0]) => {
      if (props.label.startsWith('Actions for ')) rendered.rows.push(props.label)
      if (props.label === 'Sort') rendered.tools += 1
      return <IconMenu {...props} />
    },
  }
})

const root = makeUser({ is_superuser: true })

beforeEach(() => {
  Object.assign(rendered, { rows: [], tools: 0 })
})

/** Waits for a render that React has interrupted and begun again. */
async function settle(): Promise<void> {
  let before: number
  do {
    before = rendered.rows.length
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)))
  } while (rendered.rows.length !== before)
}

test.each([
  ['/items', 'Add Item', (backend: Backend) => itemsIn(backend).push(...manyItems(20))],
  ['/users', 'Add User', (backend: Backend) => backend.users.push(...manyUsers(20))],
])('%s: no row renders again when a dialog opens or closes', async (url, name, prepare) => {
  const { actor } = await renderApp({ url, user: root, prepare })
  const add = await screen.findByRole('button', { name })
  await waitFor(() => expect(rendered.rows.length).toBeGreaterThanOrEqual(20))
  await settle()
  rendered.rows = []
  await actor.click(add)
  const dialog = await screen.findByRole('dialog', { name })
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(dialog).not.toBeInTheDocument())
  expect(rendered.rows).toEqual([])
})

test('a list that is opened again renders once before it shows its rows', async () => {
  const { actor } = await renderApp({ url: '/users', user: root, prepare: ({ users }) => users.push(...manyUsers(20)) })
  await listLoaded()
  const sidebar = within(screen.getByRole('navigation', { name: 'Main' }))
  await actor.click(sidebar.getByRole('link', { name: 'Dashboard' }))
  await screen.findByRole('heading', { name: /^Hi, / })
  await settle()
  rendered.tools = 0
  await actor.click(sidebar.getByRole('link', { name: 'Users' }))
  await screen.findByRole('table', { name: 'Users' })
  await settle()
  expect(rendered.tools).toBe(1)
})

test('opening another page does not render the previous rows again', async () => {
  const { actor } = await renderApp({
    url: '/users',
    user: root,
    prepare: (backend) => backend.users.push(...manyUsers(55)),
  })
  const table = await screen.findByRole('table', { name: 'Users' })
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(1 + 50))
  await settle()
  rendered.rows = []
  await actor.click(screen.getByRole('link', { name: 'Page 2' }))
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(1 + 5))
  await settle()
  expect(new Set(rendered.rows).size).toBe(5)
})

test.each([
  ['the rows', 1280, 40],
  ['pairs of cards', 768, 32],
  ['the cards', 390, 64],
])('a press on a loaded page first renders %s in the window, then the others', async (_what, width, height) => {
  vi.stubGlobal('innerWidth', width)
  const { actor } = await renderApp({
    url: '/users?page=2',
    user: root,
    prepare: ({ users }) => users.push(...manyUsers(55)),
  })
  await listLoaded()
  const table = screen.getByRole('table', { name: 'Users' })
  let added = 0
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records) added += addedNodes.length
  })
  observer.observe(table, { childList: true, subtree: true })
  await actor.click(screen.getByRole('link', { name: 'Page 1' }))
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(1 + 50))
  observer.disconnect()
  // The visible rows come in one added `tbody`, the others one by one.
  expect(added).toBe(1 + 50 - Math.ceil((window.innerHeight - 160) / height))
})
