import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render, screen, within } from '@testing-library/react'
import { House } from 'lucide-react'
import { expect, test } from 'vitest'
import { CurrentUserContext } from '@/data/api/current-user'
import { makeUser } from '../../../tests/support/backend'
import type { NavGroup } from './navigation'
import { Sidebar } from './sidebar'

const groups: NavGroup[] = [
  {
    heading: 'Stock',
    links: [{ title: 'Users', url: '/users', icon: House, links: [{ title: 'Settings', url: '/settings' }] }],
  },
]

async function renderSidebar(collapsed: boolean) {
  const user = makeUser({ full_name: 'Ada Lovelace' })
  const root = createRootRoute({
    component: () => (
      <CurrentUserContext value={user}>
        <Sidebar groups={groups} collapsed={collapsed} onChoose={() => undefined} />
        <Outlet />
      </CurrentUserContext>
    ),
  })
  const settings = createRoute({ getParentRoute: () => root, path: '/settings', component: () => null })
  const router = createRouter({
    routeTree: root.addChildren([settings]),
    history: createMemoryHistory({ initialEntries: ['/settings'] }),
  })
  await router.load()
  render(<RouterProvider router={router as never} />)
}

test('SPEC 2: a group has a heading, and an entry contains nested entries', async () => {
  await renderSidebar(false)
  const group = screen.getByRole('region', { name: 'Stock' })
  const link = within(group).getByRole('link', { name: 'Users' })
  const children = within(link.closest('li') as HTMLElement).getByRole('list')
  expect(within(children).getByRole('link', { name: 'Settings' })).toHaveAttribute('aria-current', 'page')
})

test('SPEC 2: the collapsed sidebar hides nested entries', async () => {
  await renderSidebar(true)
  expect(screen.getByRole('link', { name: 'Users' })).toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'Settings' })).not.toBeInTheDocument()
})
