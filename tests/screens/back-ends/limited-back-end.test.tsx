// A back end may have only the operations of SPEC 7. The application then offers and requests nothing else.
import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { capitalize } from '@/lib/text'
import { links, resources } from '@/lib/resources'
import { removeCapabilities, makeUser, refusal } from '../../support/backend'
import { itemsIn, makeItem } from '../../support/items/rows'
import { itemOperations, limitedItems } from '../../support/items/screens'
import { network, requestsTo } from '../../support/network'
import { expectRow, renderApp, roundTrip } from '../../support/render-app'
import { profileFields } from '../../support/samples'

const titles = resources.map(({ title }) => title)

const operations = [
  ...itemOperations,
  /^POST \/(login\/access-token|login\/test-token|reset-password\/|users\/signup)$/,
  /^POST \/(password-recovery|password-recovery-html-content)\/[^/]+$/,
  /^(GET|POST) \/users\/$/,
  /^(GET|PATCH|DELETE) \/users\/me$/,
  /^PATCH \/users\/me\/password$/,
  /^(GET|PATCH|DELETE) \/users\/(?!me$|export$)[^/]+$/,
]

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace' })

/** @returns the requests for operations that this back end lacks */
async function open(url: string, user = root) {
  const others: string[] = []
  const app = await renderApp({
    url,
    user,
    prepare: (backend) => {
      backend.users = [root, grace]
      itemsIn(backend).push(makeItem({ title: 'Notes', owner_id: user.id }))
      backend.hasSearch = false
      backend.hasVersions = false
      backend.hasIdempotencyKeys = false
      removeCapabilities(backend)
      network.use(
        http.all('*/api/v1/*', ({ request }) => {
          const operation = `${request.method} ${new URL(request.url).pathname.replace('/api/v1', '')}`
          if (operations.some((known) => known.test(operation))) return undefined
          // Every page tries the event stream once.
          if (operation !== 'GET /events') others.push(operation)
          return refusal(404, 'Not Found')
        }),
      )
    },
  })
  await screen.findByRole('heading', { level: 1 })
  return { ...app, others }
}

const names = (role: string, parent = document.body) =>
  within(parent)
    .queryAllByRole(role)
    .map((element) => element.getAttribute('aria-label') ?? element.textContent)

type App = Awaited<ReturnType<typeof open>>

async function menuOf({ actor }: App, button: string | RegExp) {
  await actor.click(await screen.findByRole('button', { name: button }))
  const entries = names('menuitem', await screen.findByRole('menu'))
  await actor.keyboard('{Escape}')
  return entries
}

async function waitUntilIdle({ queryClient }: App) {
  await roundTrip('/users/me')
  await waitFor(() => expect(queryClient.isFetching()).toBe(0))
}

describe.each([
  limitedItems,
  {
    url: '/users',
    cells: { Email: grace.email },
    columns: ['Full Name', 'Email', 'Role', 'Status', 'Actions'],
    buttons: [
      'Add User',
      'Clear search',
      'Role: Any',
      'Status: Any',
      'Filters',
      'Sort',
      'Columns',
      'Full Name',
      'Email',
      `Actions for ${root.email}`,
      `Actions for ${grace.email}`,
    ],
    entries: ['Edit', 'Deactivate', 'Make Superuser', 'Delete'],
  },
])('the list $url', ({ url, cells, columns, buttons, entries }) => {
  test('has no columns and filters of what rows do not have', async () => {
    const app = await open(url)
    const row = await expectRow(cells)
    expect(Array.from(row.cells, (cell) => cell.dataset['label'])).toEqual(columns)
    // Of filters with values that a back end without them has, too, see the buttons.
    expect(names('combobox')).toHaveLength(links.filter(({ from }) => `/${from}` === url).length)
    await waitUntilIdle(app)
    expect(app.others).toEqual([])
  })

  test('has no export, selection, invitation, or more in the menu of a row', async () => {
    const app = await open(url)
    await expectRow(cells)
    expect(names('button', screen.getByRole('main'))).toEqual(buttons)
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
    expect(await menuOf(app, /^Actions for (Notes|grace)/)).toEqual(entries)
  })
})

test('the page of a user has the account alone', async () => {
  const app = await open(`/users/${grace.id}`)
  await waitUntilIdle(app)
  expect(names('term')).toEqual(['Created', ...profileFields.slice(1).map(({ label }) => label)])
  expect(names('heading', screen.getByRole('main'))).toEqual(['Grace'])
  expect(names('button', screen.getByRole('main'))).toEqual(['Copy Address', 'Edit', 'Deactivate', 'More actions'])
  expect(await menuOf(app, 'More actions')).toEqual(['Make Superuser', 'Delete'])
  expect(app.others).toEqual([])
})

test('the deletion of a user does not count rows', async () => {
  const app = await open(`/users?delete=${grace.id}`)
  expect(await screen.findByRole('dialog', { name: 'Delete User' })).toHaveTextContent('permanently deleted')
  await waitUntilIdle(app)
  expect(resources.flatMap(({ tag }) => requestsTo(`GET /${tag}/`))).toEqual([])
  expect(app.others).toEqual([])
})

test('sidebar and user menu lead to what there is', async () => {
  const app = await open('/users')
  expect(names('link', screen.getByRole('navigation', { name: 'Main' }))).toEqual(['Dashboard', ...titles, 'Users'])
  expect(await menuOf(app, /root@example.com/)).toEqual(['Settings', 'Keyboard shortcuts', 'Log out'])
})

test('the palette has what there is', async () => {
  const { actor } = await open('/users')
  await actor.keyboard('{Control>}k{/Control}')
  const dialog = await screen.findByRole('dialog')
  const options = () => names('option', dialog)
  const actions = [
    ...resources.map(({ noun }) => `Add ${capitalize(noun)}`),
    'Add User',
    'Keyboard shortcuts',
    'Log out',
  ]
  const pages = ['Dashboard', ...titles, 'Users', 'Settings', 'Settings: Password', 'Settings: Appearance']
  expect(options()).toEqual([...pages, ...actions, 'Theme: System', 'Theme: Light', 'Theme: Dark'])
  await actor.keyboard('export')
  expect(options()).toEqual([])
})

test('the tab for the password names no page and no tokens', async () => {
  const app = await open('/settings?tab=password')
  expect(await screen.findByLabelText(/^Current Password/)).toBeInTheDocument()
  await waitUntilIdle(app)
  expect(names('link', screen.getByRole('tabpanel'))).toEqual([])
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
  expect(app.others).toEqual([])
})

test('the dashboard has no numbers', async () => {
  const app = await open('/')
  await waitUntilIdle(app)
  expect(names('heading')).toEqual(['Hi, Root'])
  // The request for the overview tells the page whether the back end has it.
  expect(new Set(app.others)).toEqual(new Set(['GET /users/me/overview']))
})

test.each([
  ['/security', 'This server does not show where you are logged in.', ['Security', 'Password', 'Sessions']],
  ['/audit', 'This server keeps no audit log.', ['Audit Log']],
])('%s, to which nothing leads, says so', async (url, text, headings) => {
  const app = await open(url)
  expect(await screen.findByText(text)).toBeInTheDocument()
  await waitUntilIdle(app)
  expect(names('heading', screen.getByRole('main'))).toEqual(headings)
})
