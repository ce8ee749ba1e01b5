import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeUser } from '../../support/backend'
import { itemsIn, itemsPath, makeItem } from '../../support/items/rows'
import { listLoaded, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const ada = makeUser({ full_name: 'Ada' })

const groceries = makeItem({ title: 'Groceries' })

async function open(url: string) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(ada)
      itemsIn(backend).push(groceries)
    },
  })
  await listLoaded()
  const cell = screen.getByRole('table').querySelector('tbody td:nth-child(3)')
  if (cell === null) throw new Error('no row')
  return { ...app, cell, openTab: vi.spyOn(window, 'open').mockReturnValue(null) }
}

const forNewTab = [
  ['Ctrl', '{Control>}', '[MouseLeft]'],
  ['Cmd', '{Meta>}', '[MouseLeft]'],
  ['the middle button', undefined, '[MouseMiddle]'],
] as const

describe.each([
  ['/users', `/users/${ada.id}`],
  [`${itemsPath}?page=1&q=groceries`, `/items?edit=${groceries.id}`],
])('on %s', (url, row) => {
  test.each(forNewTab)('%s opens a row in a new tab', async (_, held, keys) => {
    const { router, cell, openTab } = await open(url)
    const before = router.state.location.href
    const actor = userEvent.setup()
    if (held) await actor.keyboard(held)
    await actor.pointer({ keys, target: cell })
    expect(openTab).toHaveBeenCalledExactlyOnceWith(window.location.origin + row, '_blank', 'noopener')
    expect(router.state.location.href).toBe(before)
  })

  test.each(forNewTab)('%s on its title is left to the browser', async (_, held, keys) => {
    const { router, openTab } = await open(url)
    const before = router.state.location.href
    const link = screen.getByRole('link', { name: /^(?:Ada|Groceries)$/ })
    expect(link).toHaveAttribute('href', row)
    // jsdom cannot open a tab, so the listener prevents it.
    const onClick = vi.fn<(event: Event) => boolean>((event) => {
      const isPrevented = event.defaultPrevented
      event.preventDefault()
      return isPrevented
    })
    window.addEventListener('click', onClick)
    onTestFinished(() => window.removeEventListener('click', onClick))
    const actor = userEvent.setup()
    if (held) await actor.keyboard(held)
    await actor.pointer({ keys, target: link })
    for (const { value } of onClick.mock.results) expect(value).toBe(false)
    expect(openTab).not.toHaveBeenCalled()
    expect(router.state.location.href).toBe(before)
  })
})

test('the right button opens no row', async () => {
  const { actor, router, cell, openTab } = await open('/users')
  await actor.pointer({ keys: '[MouseRight]', target: cell })
  expect(openTab).not.toHaveBeenCalled()
  expect(router.state.location.href).toBe('/users')
})
