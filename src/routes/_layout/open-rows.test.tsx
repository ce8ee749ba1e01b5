import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { makeItem, makeUser } from '../../../tests/support/backend'
import { listLoaded, renderApp } from '../../../tests/support/render-app'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const ada = makeUser({ full_name: 'Ada' })

async function open(url: string) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(ada)
      backend.items.push(makeItem({ title: 'Notes' }))
    },
  })
  await listLoaded()
  const cell = screen.getByRole('table').querySelector('tbody td:nth-child(2)')
  if (cell === null) throw new Error('no row')
  return { ...app, cell, openTab: vi.spyOn(window, 'open').mockReturnValue(null) }
}

test.each([
  ['Ctrl', '{Control>}', '[MouseLeft]'],
  ['Cmd', '{Meta>}', '[MouseLeft]'],
  ['the middle button', undefined, '[MouseMiddle]'],
])('%s opens the page of a row in a new tab', async (_, held, keys) => {
  const { router, cell, openTab } = await open('/users')
  const actor = userEvent.setup()
  if (held) await actor.keyboard(held)
  await actor.pointer({ keys, target: cell })
  expect(openTab).toHaveBeenCalledExactlyOnceWith(`${window.location.origin}/users/${ada.id}`, '_blank', 'noopener')
  expect(router.state.location.href).toBe('/users')
})

test('the right button opens no row', async () => {
  const { actor, router, cell, openTab } = await open('/users')
  await actor.pointer({ keys: '[MouseRight]', target: cell })
  expect(openTab).not.toHaveBeenCalled()
  expect(router.state.location.href).toBe('/users')
})

test('Ctrl opens the dialog of a row that has no page', async () => {
  const { cell, openTab } = await open('/items')
  const actor = userEvent.setup()
  await actor.keyboard('{Control>}')
  await actor.pointer({ keys: '[MouseLeft]', target: cell })
  expect(await screen.findByRole('dialog', { name: 'Edit Item' })).toBeInTheDocument()
  expect(openTab).not.toHaveBeenCalled()
})
