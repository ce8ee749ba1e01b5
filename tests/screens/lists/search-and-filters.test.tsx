import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { type Backend, removeCapabilities, makeUser, manyUsers, never, refusal } from '../../support/backend'
import { itemsIn, makeItem } from '../../support/items/rows'
import { capitalize } from '@/lib/text'
import { chooseValues } from '../../support/choose-values'
import { network, requestsTo } from '../../support/network'
import { expectRow, listLoaded, renderApp, roundTrip } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const owner = '01890000-0000-7000-8000-00000000beef'

const people = () => [
  makeUser({ email: 'grace@example.com', full_name: 'Grace Hopper', last_active_at: '2020-01-01T00:00:00.000Z' }),
  makeUser({ email: 'jose@example.com', full_name: 'José Ñandú', is_active: false }),
  makeUser({ email: 'edsger@example.com', full_name: null, is_invited: true }),
  root,
]

async function open(url: string, prepare: (backend: Backend) => unknown = () => undefined) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(...people())
      prepare(backend)
    },
  })
  await listLoaded()
  const box = screen.getByRole<HTMLInputElement>('searchbox')
  return {
    ...app,
    box,
    href: () => app.router.state.location.href,
    // Excludes the entry of the first page.
    entries: () => app.router.history.length - 1,
    go: (by: number) => act(() => app.router.history.go(by)),
  }
}

const emails = () => Array.from(document.querySelectorAll('td[data-label=Email]'), ({ textContent }) => textContent)
const shows = (...names: string[]) =>
  waitFor(() => expect(emails()).toEqual(names.map((name) => `${name}@example.com`)))
const names = () => Array.from(document.querySelectorAll('[data-title]'), (name) => name.textContent)
const status = () => screen.getByRole('status').textContent
/** jsdom lacks container queries, so a sortable heading has the text for columns and that for cards. */
const heading = (name: string) => screen.getByRole('columnheader', { name: new RegExp(`^${name}`) })
const listQueries = () => requestsTo('GET /users/').map(({ query }) => query)
const pause = (ms: number) => act(() => new Promise((resolve) => setTimeout(resolve, ms)))

describe('the search box', () => {
  test('finds every word in the name or the email address, ignoring case and accents', async () => {
    const { actor, box } = await open('/users')
    expect(box).toHaveAccessibleName('Search users')
    await actor.type(box, 'ÑANDU  jose@')
    await shows('jose')
    expect(status()).toBe('1 user')
    expect(box).toHaveFocus()
  })

  test('changes the URL 250 ms after the last key without a new history entry, and shows page 1', async () => {
    const { actor, box, href, entries } = await open('/users?page=2', (backend) => backend.users.push(...manyUsers(60)))
    await actor.type(box, 'User 5')
    expect(href()).toBe('/users?page=2')
    await waitFor(() => expect(href()).toBe('/users?q=User+5'))
    await actor.type(box, '9')
    await waitFor(() => expect(href()).toBe('/users?q=User+59'))
    expect(entries()).toBe(0)
    const searches = requestsTo('GET /users/').map(({ query }) => new URLSearchParams(query).get('q'))
    expect(searches.filter(Boolean)).toEqual(['User 5', 'User 59'])
  })

  test('changes the URL immediately on Enter and on blur', async () => {
    const { actor, box, href } = await open('/users')
    await actor.type(box, 'grace{Enter}')
    expect(href()).toBe('/users?q=grace')
    await actor.type(box, ' h')
    await actor.tab()
    expect(href()).toBe('/users?q=grace+h')
    await actor.clear(box)
    await waitFor(() => expect(href()).toBe('/users'))
  })

  test.each(['true', '1e5', '"x"', '{}', 'null', '100%', 'a&b=c#d', '__proto__'])(
    '%s is treated as text in the URL and in the box',
    async (text) => {
      const { box, router } = await open('/users')
      await act(() => router.navigate({ to: '/users', search: { q: text } }))
      expect(box).toHaveValue(text)
      expect(new URLSearchParams(router.state.location.searchStr).get('q')).toBe(text)
      await waitFor(() => expect(new URLSearchParams(listQueries().at(-1)).get('q')).toBe(text))
    },
  )

  test('loses no letter and keeps the caret while responses arrive', async () => {
    const { actor, box, href } = await open('/users')
    await actor.type(box, 'hopper')
    await shows('grace')
    box.setSelectionRange(0, 0)
    await actor.keyboard('grace ')
    await waitFor(() => expect(href()).toBe('/users?q=grace+hopper'))
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/users/', () => held.promise))
    await actor.keyboard('x')
    await waitFor(() => expect(href()).toBe('/users?q=grace+xhopper'))
    await actor.keyboard('y')
    held.resolve()
    await screen.findByRole('heading', { name: 'No users found' })
    expect(box).toHaveValue('grace xyhopper')
    expect(box.selectionStart).toBe('grace xy'.length)
    expect(box).toHaveFocus()
  })

  test('an older response never replaces a newer one', async () => {
    const { actor, box } = await open('/users')
    const late = Promise.withResolvers<void>()
    network.use(
      http.get('*/users/', async ({ request }) => {
        if (new URL(request.url).searchParams.get('q') === 'g') await late.promise
      }),
    )
    await actor.type(box, 'g{Enter}')
    await actor.type(box, 'race{Enter}')
    await shows('grace')
    late.resolve()
    await roundTrip()
    expect(emails()).toEqual(['grace@example.com'])
  })

  test('Back restores the text of the previous history entry and discards text that is not in the URL yet', async () => {
    const { actor, box, href, go } = await open('/users?q=grace')
    await chooseValues(actor, 'Role', 'User')
    expect(href()).toBe('/users?q=grace&role=user')
    await actor.clear(box)
    await actor.type(box, 'jose{Enter}')
    await actor.type(box, ' and more')
    go(-1)
    await waitFor(() => expect(box).toHaveValue('grace'))
    await pause(300)
    expect(href()).toBe('/users?q=grace')
    go(1)
    await waitFor(() => expect(box).toHaveValue('jose'))
    await shows('jose')
  })

  test('unknown search parameters are removed from the URL and from links', async () => {
    const { href } = await open('/users?search=x&q=user', (backend) => backend.users.push(...manyUsers(60)))
    await waitFor(() => expect(href()).toBe('/users?q=user'))
    expect(screen.getByRole('link', { name: 'Next page' })).toHaveAttribute('href', '/users?q=user&page=2')
  })

  test('the sidebar link of the page clears it', async () => {
    const { actor, box } = await open('/users?q=grace&role=user')
    await actor.click(screen.getByRole('link', { name: 'Users' }))
    await waitFor(() => expect(box).toHaveValue(''))
    expect(screen.getByLabelText('Role')).toHaveAccessibleName('Role: Any')
    await shows('grace', 'jose', 'edsger', 'root')
  })

  test('/ focuses it, unless the focus is in a field or a dialog is open', async () => {
    const { actor, box } = await open('/users?q=grace')
    await actor.keyboard('/')
    expect(box).toHaveFocus()
    await actor.keyboard('{End}/')
    expect(box).toHaveValue('grace/')
    await actor.click(screen.getByRole('button', { name: 'Add User' }))
    await screen.findByRole('dialog')
    await actor.keyboard('/')
    expect(box).not.toHaveFocus()
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    await actor.keyboard('/')
    expect(box).not.toHaveFocus()
  })
})

describe('filters', () => {
  test('of a choice take several values, which are in the order of the contract', async () => {
    const { actor, href } = await open('/users')
    await chooseValues(actor, 'Status', 'Invited', 'Active')
    await shows('grace', 'edsger', 'root')
    expect(href()).toBe('/users?status=active,invited')
    expect(listQueries().at(-1)).toBe('?skip=0&limit=50&status=active%2Cinvited')
    expect(screen.getByLabelText('Status')).toHaveAccessibleName('Status: Active, Invited')
    await chooseValues(actor, 'Status', 'Active')
    await shows('edsger')
    expect(href()).toBe('/users?status=invited')
  })

  test('a link keeps the values that are known, each once', async () => {
    const { href } = await open('/users?status=invited,active,active,away')
    await shows('grace', 'edsger', 'root')
    await waitFor(() => expect(href()).toBe('/users?status=active,invited'))
  })

  test('each choice adds a history entry on page 1, and Back removes the filter', async () => {
    const { actor, href, entries, go } = await open('/users?page=2', (backend) => backend.users.push(...manyUsers(60)))
    await chooseValues(actor, 'Role', 'Superuser')
    await shows('root')
    expect(href()).toBe('/users?role=superuser')
    await chooseValues(actor, 'Role', 'Superuser')
    await chooseValues(actor, 'Status', 'Invited')
    await shows('edsger')
    await actor.selectOptions(screen.getByLabelText('Last active'), 'Over 30 days ago')
    expect(href()).toBe('/users?status=invited&idle_days=30')
    expect(entries()).toBe(4)
    go(-3)
    await waitFor(() => expect(screen.getByLabelText('Role')).toHaveAccessibleName('Role: Superuser'))
    expect(screen.getByLabelText('Status')).toHaveAccessibleName('Status: Any')
    await shows('root')
    go(-1)
    await waitFor(() => expect(href()).toBe('/users?page=2'))
    await waitFor(() => expect(status()).toBe('51–64 of 64 users'))
  })

  test.each([
    [
      'a filter',
      'idle_days=30',
      () => fireEvent.change(screen.getByLabelText('Last active'), { target: { value: '30' } }),
    ],
    ['a sort', 'sort=email', () => within(heading('Email')).getByRole('button').click()],
  ])('%s takes along the text that is not in the URL yet', async (_what, choice, choose) => {
    const { actor, box, href, entries } = await open('/users')
    await actor.type(box, 'grace')
    // The search box may keep the focus, because Safari does not focus clicked buttons.
    act(() => {
      choose()
    })
    await waitFor(() => expect(href()).toBe(`/users?q=grace&${choice}`))
    expect(box).toHaveValue('grace')
    expect(entries()).toBe(1)
    await shows('grace')
  })

  test('the URL has them in a fixed order, regardless of the order of the choices', async () => {
    const { actor, box, href } = await open('/users')
    await actor.click(within(heading('Email')).getByRole('button'))
    await actor.selectOptions(screen.getByLabelText('Last active'), 'Over 7 days ago')
    await chooseValues(actor, 'Status', 'Active')
    await chooseValues(actor, 'Role', 'User')
    await actor.type(box, 'grace{Enter}')
    expect(href()).toBe('/users?q=grace&role=user&status=active&idle_days=7&sort=email')
    await shows('grace')
  })

  test('a link shows its list from the start, including a number of days that is not an option', async () => {
    const { box } = await open('/users?q=example&status=active&idle_days=45&sort=-email')
    await shows('root', 'grace')
    expect(box).toHaveValue('example')
    expect(screen.getByLabelText('Status')).toHaveAccessibleName('Status: Active')
    expect(screen.getByLabelText('Last active')).toHaveDisplayValue('Over 45 days ago')
    expect(heading('Email')).toHaveAttribute('aria-sort', 'descending')
    expect(listQueries()).toEqual([
      '?skip=0&limit=50&q=example&status=active&idle_days=45&sort=-email&never_active=from_creation',
    ])
  })

  test('who was never active counts as not active since the creation, or is a choice of its own', async () => {
    const { actor, href } = await open('/users', (backend) => {
      const invited = { is_invited: true, last_active_at: null }
      const created_at = new Date().toISOString()
      backend.users.push(makeUser({ email: 'new@example.com', created_at, ...invited }))
      backend.users.push(makeUser({ email: 'old@example.com', created_at: '2020-01-01T00:00:00.000Z', ...invited }))
      for (const user of backend.users) user.last_active_at ??= user.is_invited ? null : created_at
    })
    const filter = screen.getByLabelText('Last active')
    await actor.selectOptions(filter, 'Over 365 days ago')
    await shows('grace', 'old')
    expect(href()).toBe('/users?idle_days=365')
    await actor.selectOptions(filter, 'Never logged in')
    await shows('edsger', 'new', 'old')
    expect(href()).toBe('/users?never_active=only')
    expect(filter).toHaveDisplayValue('Never logged in')
    await actor.selectOptions(filter, 'Any time')
    expect(href()).toBe('/users')
  })

  test('when rows were created is a period, a day or two days', async () => {
    vi.stubEnv('TZ', 'UTC')
    const { actor, href } = await open('/users?created_from=2020-03-01&created_to=2020-03-01', (backend) =>
      backend.users.push(makeUser({ email: 'old@example.com', created_at: '2020-03-01T23:59:59.000Z' })),
    )
    await shows('old')
    const filter = screen.getByLabelText('Created')
    expect(filter).toHaveDisplayValue('Mar 1, 2020')
    expect(screen.queryByLabelText('From')).not.toBeInTheDocument()
    expect(listQueries()).toEqual(['?skip=0&limit=50&created_from=2020-03-01&created_to=2020-03-01'])
    await actor.selectOptions(filter, 'From … to …')
    fireEvent.change(await screen.findByLabelText('To'), { target: { value: '2020-03-31' } })
    const [first, last] = ['2020-03-01T00:00:00.000Z', '2020-03-31T23:59:59.999Z'].map(encodeURIComponent)
    await waitFor(() => expect(href()).toBe(`/users?created_from=${first}&created_to=${last}`))
    expect(filter).toHaveDisplayValue('From … to …')
    await actor.selectOptions(filter, 'Last 7 days')
    await waitFor(() => expect(filter).toHaveDisplayValue('Last 7 days'))
    expect(href()).toMatch(/^\/users\?created_from=\d{4}-\d\d-\d\dT00%3A00%3A00\.000Z$/)
    expect(screen.queryByLabelText('From')).not.toBeInTheDocument()
    await actor.selectOptions(filter, 'Any')
    await waitFor(() => expect(href()).toBe('/users'))
  })

  test('invalid values and defaults are removed from the URL', async () => {
    const bad = 'role=admin&status=&idle_days=0&sort=-created_at&q=+&page=0&owner_id=1'
    const { href } = await open(`/users?${bad}`)
    await waitFor(() => expect(href()).not.toMatch(/role|status|idle|sort|[?&]q|page/))
    expect(listQueries()).toEqual(['?skip=0&limit=50'])
  })

  test('stay when a dialog opens and closes, and when the page changes', async () => {
    const { actor, href } = await open('/users?q=user&sort=-full_name', (backend) =>
      backend.users.push(...manyUsers(60)),
    )
    await actor.click(screen.getByRole('button', { name: 'Add User' }))
    await screen.findByRole('dialog')
    expect(href()).toBe('/users?q=user&sort=-full_name&add')
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(href()).toBe('/users?q=user&sort=-full_name'))
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(href()).toBe('/users?q=user&sort=-full_name&page=2'))
    await waitFor(() => expect(status()).toBe('51–60 of 60 users'))
  })

  test('a page past the end of the matches redirects to their last page and keeps the filters', async () => {
    const { href } = await open('/users?q=user&page=9', (backend) => backend.users.push(...manyUsers(60)))
    await waitFor(() => expect(href()).toBe('/users?q=user&page=2'))
    await expectRow({ 'Full Name': 'User 59' })
  })

  test('the old rows stay until the response arrives, and are marked as outdated', async () => {
    const { actor } = await open('/users')
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/users/', () => held.promise))
    await chooseValues(actor, 'Role', 'Superuser')
    expect(screen.getByLabelText('Role')).toHaveAccessibleName('Role: Superuser')
    const old = screen.getByRole('table').closest('[aria-busy=true]')
    const body = screen.getByRole<HTMLTableElement>('table').tBodies[0]
    expect(body).toHaveClass('opacity-50')
    expect(body).toHaveAttribute('inert')
    expect(emails()).toHaveLength(4)
    expect(status()).toBe('1–4 of 4 users')
    await chooseValues(actor, 'Status', 'Active')
    held.resolve()
    await shows('root')
    expect(old).toHaveAttribute('aria-busy', 'false')
    expect(body).not.toHaveAttribute('inert')
    expect(status()).toBe('1 user')
  })

  test.each(anyResource)('a notice says whose $table are shown, and a button shows all $table', async (sample) => {
    const { table, noun, searched } = sample
    const { actor, box, href } = await open(`/${table}?owner_id=${owner}`, (backend) => {
      backend.users.push(makeUser({ id: owner, email: 'ada@example.com' }))
      backend.rowsOf(table).push(makeRow(table, { [searched[0]]: 'Notes', owner_id: owner }), makeRow(table))
    })
    expect(names()).toEqual(['Notes'])
    expect(status()).toBe(`1 ${noun}`)
    const note = screen.getByText(new RegExp(`^${capitalize(table)} of`))
    await waitFor(() => expect(note).toHaveTextContent(`${capitalize(table)} of ada@example.com`))
    await actor.click(screen.getByRole('button', { name: `Show the ${table} of everyone` }))
    expect(box).toHaveFocus()
    await waitFor(() => expect(status()).toBe(`1–2 of 2 ${table}`))
    expect(href()).toBe(`/${table}`)
    expect(note).not.toBeInTheDocument()
  })
})

describe('a list without matches', () => {
  test('says so, and Clear filters shows all rows and focuses the search box', async () => {
    const { actor, box, href, entries } = await open('/users?q=nobody&role=user&sort=email')
    expect(screen.getByRole('heading', { name: 'No users found' })).toBeInTheDocument()
    expect(status()).toBe('0 users')
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Clear filters' }))
    await shows('edsger', 'grace', 'jose', 'root')
    expect(box).toHaveFocus()
    expect(box).toHaveValue('')
    expect(href()).toBe('/users?sort=email')
    expect(entries()).toBe(1)
  })

  test.each(anyResource)(
    'SPEC 2: the empty state is only for $table without any rows, and has no toolbar',
    async ({ table }) => {
      const { actor } = await open(`/${table}?q=x`)
      expect(screen.getByRole('heading', { name: `No ${table} found` })).toBeInTheDocument()
      const held = Promise.withResolvers<void>()
      network.use(http.get(`*/${table}/`, () => held.promise))
      await actor.click(screen.getByRole('button', { name: 'Clear filters' }))
      expect(screen.queryByRole('heading', { name: `No ${table}` })).not.toBeInTheDocument()
      held.resolve()
      expect(await screen.findByRole('heading', { name: `No ${table}` })).toBeInTheDocument()
      expect(screen.queryByRole('searchbox')).not.toBeInTheDocument()
      expect(screen.getByRole('heading', { name: capitalize(table) })).toHaveFocus()
    },
  )
})

test.each(anyResource)(
  'a page past the end of no $table never shows the message for a search without matches',
  async ({ table }) => {
    const said = new Set<string | null | undefined>()
    const observer = new MutationObserver(() => said.add(screen.queryByRole('heading', { level: 2 })?.textContent))
    observer.observe(document.body, { childList: true, subtree: true })
    const { router } = await renderApp({ url: `/${table}?page=2`, user: root })
    await waitFor(() => expect(router.state.location.href).toBe(`/${table}?page=1`))
    await screen.findByRole('heading', { name: `No ${table}` })
    await roundTrip()
    observer.disconnect()
    expect(said).toContain(`No ${table}`)
    expect(said).not.toContain(`No ${table} found`)
  },
)

describe('a failure', () => {
  test('of a search keeps the search box, and another search recovers', async () => {
    const { actor, box } = await open('/users')
    network.use(
      http.get('*/users/', ({ request }) => (request.url.includes('q=grac') ? refusal(404, 'No') : undefined)),
    )
    await actor.type(box, 'grac{Enter}')
    expect(await screen.findByRole('heading', { name: 'Something went wrong!', level: 2 })).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Users')
    expect(box).toHaveFocus()
    await actor.keyboard('e{Enter}')
    expect(await screen.findByRole('alert')).toBeInTheDocument()
    expect(box).toHaveFocus()
    await actor.clear(box)
    await actor.type(box, 'hopper{Enter}')
    await shows('grace')
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('that a retry resolves moves the focus from the button to the heading', async () => {
    const { actor, box } = await open('/users')
    network.use(http.get('*/users/', () => refusal(404, 'No'), { once: true }))
    await actor.type(box, 'grace{Enter}')
    await actor.click(await screen.findByRole('button', { name: 'Try again' }))
    await shows('grace')
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
  })
})

describe('sorting', () => {
  test('by a heading: ascending, descending, newest first; each press, also of Enter, adds a history entry on page 1', async () => {
    const { actor, href, entries, go } = await open('/users?page=1&q=example')
    const button = within(heading('Full Name')).getByRole('button', { name: 'Full Name' })
    await actor.click(button)
    await shows('grace', 'jose', 'root', 'edsger')
    expect(heading('Full Name')).toHaveAttribute('aria-sort', 'ascending')
    expect(heading('Email')).not.toHaveAttribute('aria-sort')
    await actor.keyboard('{Enter}')
    await shows('root', 'jose', 'grace', 'edsger')
    expect(heading('Full Name')).toHaveAttribute('aria-sort', 'descending')
    expect(href()).toBe('/users?q=example&sort=-full_name')
    await actor.click(button)
    await shows('grace', 'jose', 'edsger', 'root')
    expect(heading('Full Name')).not.toHaveAttribute('aria-sort')
    expect(href()).toBe('/users?q=example')
    expect(entries()).toBe(3)
    expect(button).toHaveFocus()
    go(-1)
    await shows('root', 'jose', 'grace', 'edsger')
  })

  test.each([
    { url: '/users', sortable: ['Full Name', 'Email', 'Last Active'], prepare: () => undefined },
    { url: '/items', sortable: ['Title'], prepare: (backend: Backend) => itemsIn(backend).push(makeItem()) },
  ])('is offered only for columns that the contract can sort: $url', async ({ url, sortable, prepare }) => {
    await open(url, prepare)
    const buttons = screen.getAllByRole('columnheader').flatMap((cell) => within(cell).queryAllByRole('button'))
    expect(buttons.map((button) => button.textContent)).toEqual(sortable)
  })

  test('of cards, which have no column headings, is in the sheet of filters', async () => {
    const { actor, href } = await open('/users?sort=created_at')
    const filters = screen.getByRole('button', { name: 'Filters' })
    await actor.click(filters)
    const choice = await screen.findByLabelText('Sort by')
    expect(choice).toHaveDisplayValue('Oldest first')
    await actor.selectOptions(choice, 'Email: Z to A')
    await actor.click(await screen.findByRole('button', { name: 'Show 4 users', busy: false }))
    await shows('root', 'jose', 'grace', 'edsger')
    expect(href()).toBe('/users?sort=-email')
    expect(filters).toHaveFocus()
  })

  test('of a table by creation is in a menu', async () => {
    const { actor, href } = await open('/users?sort=created_at')
    await actor.click(screen.getByRole('button', { name: 'Sort' }))
    expect(await screen.findByRole('menuitem', { name: 'Oldest first' })).toHaveAttribute('aria-current', 'true')
    await actor.click(screen.getByRole('menuitem', { name: 'Newest first' }))
    await waitFor(() => expect(href()).toBe('/users'))
  })
})

describe('active filters', () => {
  test('are cleared one by one in their chips, and counted over cards', async () => {
    const { actor, href } = await open('/users?role=user&status=active')
    expect(screen.getByRole('button', { name: /^Filters/ })).toHaveTextContent('Filters2')
    const [, removeStatus] = screen.getAllByRole('button', { name: 'Remove filter' })
    expect(removeStatus).toHaveAccessibleDescription('Status')
    await actor.click(removeStatus ?? document.body)
    await waitFor(() => expect(href()).toBe('/users?role=user'))
    expect(screen.getByLabelText('Status')).toHaveFocus()
    expect(screen.getByRole('button', { name: /^Filters/ })).toHaveTextContent('Filters1')
    expect(screen.queryByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument()
  })

  test('are cleared together, with the search text', async () => {
    const { actor, box, href } = await open('/users?q=a&role=user')
    await actor.click(screen.getByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(href()).toBe('/users'))
    expect(box).toHaveValue('')
    expect(box).toHaveFocus()
  })
})

describe('chips', () => {
  /** Whether it is shown beside filters that are in a sheet, as jsdom has no container queries. */
  const isInSheetOnly = (label: string) =>
    screen.getByText(label, { selector: 'label' }).parentElement?.classList.contains('chosen:hidden')

  test('of filters that are not active are not shown where the others are in a sheet', async () => {
    await open('/users?role=user')
    expect([isInSheetOnly('Role'), isInSheetOnly('Status')]).toEqual([false, true])
  })

  test('of a range say both ends there, without fields for them', async () => {
    vi.stubEnv('TZ', 'UTC')
    await open('/users?created_from=2020-03-01&created_to=2020-04-01')
    const text = screen.getByText('Mar 1 – Apr 1, 2020')
    expect(text.previousElementSibling).toHaveTextContent('From … to …')
    expect([isInSheetOnly('Created'), isInSheetOnly('From'), isInSheetOnly('To')]).toEqual([false, true, true])
  })
})

test('the search text is cleared by a button, and the box has the focus', async () => {
  const { actor, box, href } = await open('/users?q=grace')
  await actor.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(box).toHaveValue('')
  expect(box).toHaveFocus()
  await waitFor(() => expect(href()).toBe('/users'))
})

test('a table is sorted in words that fit what is sorted', async () => {
  const { actor } = await open('/users')
  await actor.click(screen.getByRole('button', { name: 'Sort' }))
  await screen.findByRole('menuitem', { name: 'Full Name: A to Z' })
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Newest first',
    'Oldest first',
    'Full Name: A to Z',
    'Full Name: Z to A',
    'Email: A to Z',
    'Email: Z to A',
    'Last Active: oldest first',
    'Last Active: newest first',
  ])
})

describe('the columns of users', () => {
  test('Last Active is a relative time with the exact time as its title; Invited replaces Active', async () => {
    const time = new Date(Date.now() - 3 * 24 * 60 * 60_000 - 1000).toISOString()
    await open('/users', (backend) =>
      backend.users.push(makeUser({ email: 'recent@example.com', last_active_at: time })),
    )
    expect(screen.getAllByRole('columnheader').map((cell) => cell.lastChild?.textContent)).toEqual([
      'Full Name',
      'Email',
      'Role',
      'Status',
      'Last Active',
      'Actions',
    ])
    const row = await expectRow({ Email: 'recent@example.com', Status: 'Active', 'Last Active': '3 days ago' })
    const shown = within(row).getByText('3 days ago')
    expect(shown).toHaveAttribute('datetime', time)
    expect(shown.title).toContain(String(new Date(time).getFullYear()))
    expect(shown.title).toContain(new Date(time).toLocaleString('en', { timeStyle: 'medium' }))
    await expectRow({ Email: 'edsger@example.com', Status: 'Invited', 'Last Active': 'Never active' })
    await expectRow({ Email: 'jose@example.com', Status: 'Inactive' })
  })
})

describe('a back end without search, filters and sorting', () => {
  const plain = (backend: Backend) => {
    backend.hasSearch = false
    removeCapabilities(backend)
  }

  test('shows its list, and hides columns and controls that it does not support', async () => {
    const users = [makeUser({ email: 'grace@example.com', full_name: 'Grace', is_active: false })]
    const { actor, box } = await open('/users?sort=-email', (backend) => {
      backend.users.splice(0, Infinity, ...users)
      plain(backend)
    })
    await expectRow({ Email: 'grace@example.com', Status: 'Inactive' })
    expect(screen.queryByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument()
    expect(screen.queryByRole('columnheader', { name: /Last Active/ })).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Last active')).not.toBeInTheDocument()
    expect(screen.queryByLabelText('Created')).not.toBeInTheDocument()
    await actor.type(box, 'whatever{Enter}')
    await waitFor(() => expect(listQueries().at(-1)).toContain('q=whatever'))
    await shows('grace')
  })
})

describe('an export', () => {
  interface Saved {
    name: string
    content: Blob | undefined
  }

  /** Replaces downloads, which jsdom lacks. @returns the saved files */
  function catchFiles(): Saved[] {
    const saved: Saved[] = []
    let content: Blob | undefined
    URL.createObjectURL = (blob) => {
      content = blob as Blob
      return 'blob:file'
    }
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push({ name: this.download, content })
    })
    return saved
  }

  test('requests all pages with the filters of the URL, and saves the file under its name', async () => {
    const saved = catchFiles()
    const { actor, backend } = await open('/users?q=example&role=user&sort=email&page=1')
    const button = screen.getByRole('button', { name: 'Export CSV' })
    const held = Promise.withResolvers<void>()
    network.use(http.get('*/users/export', () => held.promise))
    await actor.click(button)
    await waitFor(() => expect(button).toHaveAccessibleName('Exporting…'))
    expect(button).toHaveAttribute('aria-busy', 'true')
    expect(button).toHaveFocus()
    await actor.click(button)
    held.resolve()
    await waitFor(() => expect(button).toHaveAccessibleName('Export CSV'))
    expect(requestsTo('GET /users/export')).toMatchObject([
      { query: '?q=example&role=user&sort=email', token: backend.token },
    ])
    expect(saved).toMatchObject([{ name: 'users-2026-11-21.csv' }])
    const lines = (await saved[0]?.content?.text())?.split('\r\n')
    expect(lines?.slice(1, 4).map((line) => /\w+@/.exec(line)?.[0])).toEqual(['edsger@', 'grace@', 'jose@'])
  })

  test('is named after the list if the response has no name', async () => {
    const saved = catchFiles()
    const { actor } = await open('/users')
    network.use(
      http.get('*/users/export', () => HttpResponse.text('id\r\n', { headers: { 'content-type': 'text/csv' } })),
    )
    await actor.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(saved).toMatchObject([{ name: 'users.csv' }]))
  })

  test('that fails shows a toast, and can be retried', async () => {
    const { actor } = await open('/users')
    network.use(http.get('*/users/export', () => refusal(503, 'The server is busy', { 'X-Request-Id': 'a1-b2' })))
    const button = screen.getByRole('button', { name: 'Export CSV' })
    await actor.click(button)
    expect(await screen.findByText('The server is busy')).toBeInTheDocument()
    expect(screen.getByText('Request ID: a1-b2')).toBeInTheDocument()
    expect(button).toHaveAccessibleName('Export CSV')
    await actor.click(button)
    await waitFor(() => expect(requestsTo('GET /users/export')).toHaveLength(2))
  })

  test('after the session has ended redirects to the log-in page', async () => {
    const { actor } = await open('/users')
    network.use(http.get('*/users/export', () => refusal(403, 'No')))
    await actor.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  })
})

test.each(anyResource)('SPEC 2: the toolbar of $table is hidden until the first rows are shown', async ({ table }) => {
  await renderApp({ url: `/${table}?q=a`, user: root, prepare: () => network.use(http.get(`*/${table}/`, never)) })
  expect(await screen.findByRole('main')).toBeEmptyDOMElement()
})
