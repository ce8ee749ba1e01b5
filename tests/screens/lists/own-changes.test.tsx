import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ItemPublic, UserPublic } from '@/client/types.gen'
import { waits } from '@/data/live/live'
import { type Backend, makeItem, makeUser, manyItems, refusal } from '../../support/backend'
import { createStream, hintOf } from '../../support/event-stream'
import { holdRequests, network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

/** Opens a list whose event stream reports a change before its response arrives. */
async function open(url: string, prepare: (backend: Backend) => void = () => undefined, hasHints = true) {
  const ofProduct = { ...waits }
  onTestFinished(() => void Object.assign(waits, ofProduct))
  Object.assign(waits, { step: 0 })
  const stream = createStream()
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      const people = ['ada', 'ben'].map((name) => makeUser({ email: `${name}@example.com`, full_name: name }))
      backend.users.push(...people, root)
      backend.items.push(makeItem({ title: 'Notes' }), makeItem({ title: 'Plan' }))
      prepare(backend)
      network.use(stream.handler)
    },
  })
  await waitFor(() => expect(stream.opened()).toBe(1))
  await screen.findByRole('table')
  await waitFor(() => expect(app.queryClient.isFetching()).toBe(0))
  const { backend } = app
  const [path] = url.split('?')
  const shown = () => requestsTo(`GET ${path}/`).filter(({ query }) => query.includes('skip=0&limit=50'))
  const before = shown().length
  const states = () =>
    new Map(
      (['users', 'items'] as const).flatMap((name) =>
        backend[name].map((row: UserPublic | ItemPublic) => [row.id, [name, JSON.stringify(row)]] as const),
      ),
    )
  let known = states()
  function hintAll(): void {
    const last = known
    known = states()
    const hints = Array.from(new Set([...last.keys(), ...known.keys()]), (id) => {
      const [resource = '', state = null] = known.get(id) ?? [last.get(id)?.[0]]
      return state === (last.get(id)?.[1] ?? null) ? '' : hintOf(id, state && encodeURIComponent(state), resource)
    })
    stream.push(hints.join(''))
  }
  const onAnswer = ({ request }: { request: Request }) => {
    if (request.method !== 'GET' && hasHints) hintAll()
  }
  network.events.on('response:mocked', onAnswer)
  onTestFinished(() => network.events.removeListener('response:mocked', onAnswer))
  return { ...app, stream, hintAll, reads: () => shown().length - before }
}

async function choose(actor: UserEvent, row: string, action: string) {
  await actor.click(screen.getByRole('button', { name: `Actions for ${row}` }))
  await actor.click(await screen.findByRole('menuitem', { name: action }))
  return within(await screen.findByRole('dialog'))
}

async function confirm(actor: UserEvent, row: string, action: string): Promise<void> {
  const dialog = await choose(actor, row, action)
  await actor.click(dialog.getByRole('button', { name: action }))
}

async function confirmSelected(actor: UserEvent, row: string, action: string): Promise<void> {
  await actor.click(screen.getByRole('checkbox', { name: `Select ${row}` }))
  await actor.click(screen.getByRole('button', { name: action }))
  await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: new RegExp(`^${action}`) }))
}

async function confirmAll(actor: UserEvent, count: number, action: string): Promise<void> {
  await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await actor.click(await screen.findByRole('button', { name: `Select all ${count} that match` }))
  await actor.click(screen.getByRole('button', { name: action }))
  await actor.type(await screen.findByLabelText(`Type ${count} to confirm`), `${count}{Enter}`)
}

const manyUsers = (backend: Backend) =>
  void backend.users.unshift(
    ...Array.from({ length: 58 }, (_, number) => makeUser({ email: `p${number}@example.com`, full_name: null })),
  )

interface Change {
  name: string
  url: string
  prepare?: (backend: Backend) => void
  change: (actor: UserEvent) => Promise<void>
  shows: (actor: UserEvent) => Promise<unknown>
}

const changes: Change[] = [
  {
    name: 'an edit',
    url: '/items',
    change: async (actor) => {
      const dialog = await choose(actor, 'Notes', 'Edit')
      await actor.type(dialog.getByLabelText(/^Title/), ' of May')
      await actor.click(dialog.getByRole('button', { name: 'Save' }))
    },
    shows: () => expectRow({ Title: 'Notes of May' }),
  },
  {
    name: 'a creation',
    url: '/items?sort=title',
    change: async (actor) => {
      await actor.click(screen.getByRole('button', { name: 'Add Item' }))
      await actor.type(await screen.findByLabelText(/^Title/), 'Garden{Enter}')
    },
    shows: () => expectRow({ Title: 'Garden' }),
  },
  {
    name: 'a deletion',
    url: '/items',
    change: (actor) => confirm(actor, 'Notes', 'Delete'),
    shows: () => screen.findByText('1 item'),
  },
  {
    name: 'a change of selected rows',
    url: '/users',
    change: (actor) => confirmSelected(actor, 'ada@example.com', 'Deactivate'),
    shows: () => expectRow({ 'Full Name': 'ada', Status: 'Inactive' }),
  },
  {
    name: 'a deletion of all rows that match',
    url: '/items',
    prepare: (backend) => backend.items.push(...manyItems(58)),
    change: (actor) => confirmAll(actor, 60, 'Delete'),
    shows: () => screen.findByRole('heading', { name: 'No items' }),
  },
  {
    name: 'a change of all rows that match',
    url: '/users',
    prepare: manyUsers,
    change: (actor) => confirmAll(actor, 61, 'Deactivate'),
    shows: () => expectRow({ Email: 'p0@example.com', Status: 'Inactive' }),
  },
  {
    name: 'an invitation',
    url: '/users',
    change: async (actor) => {
      await actor.click(screen.getByRole('button', { name: 'Invite User' }))
      await actor.type(await screen.findByLabelText(/^Email/), 'eve@example.com')
      await actor.click(screen.getByRole('button', { name: 'Send Invitation' }))
    },
    shows: () => expectRow({ Email: 'eve@example.com', Status: 'Invited' }),
  },
  {
    name: 'an import',
    url: '/users',
    change: async (actor) => {
      await actor.click(screen.getByRole('button', { name: 'Import CSV' }))
      await actor.click(await screen.findByLabelText(/^File content/))
      await actor.paste('eve@example.com\nzoe@example.com')
      await actor.click(screen.getByRole('button', { name: 'Preview' }))
      await actor.click(await screen.findByRole('button', { name: 'Invite 2' }))
    },
    shows: async (actor) => {
      await screen.findByRole('list', { name: 'Invitations' })
      await actor.keyboard('{Escape}')
      await expectRow({ Email: 'zoe@example.com', Status: 'Invited' })
    },
  },
]

describe('the list is read once after', () => {
  test.each(changes)('$name, and not again for its hints', async ({ url, prepare, change, shows }) => {
    const { actor, reads, queryClient } = await open(url, prepare)
    await change(actor)
    await waitFor(() => expect(reads()).toBe(1))
    await shows(actor)
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
    expect(reads()).toBe(1)
  })

  test('a change that has no hints', async () => {
    const { actor, reads } = await open('/items', undefined, false)
    const dialog = await choose(actor, 'Notes', 'Edit')
    await actor.type(dialog.getByLabelText(/^Title/), ' of May')
    await actor.click(dialog.getByRole('button', { name: 'Save' }))
    await expectRow({ Title: 'Notes of May' })
    await waitFor(() => expect(reads()).toBe(1))
  })
})

test('hints that come before the answer cause no further read', async () => {
  const { actor, reads, backend, stream } = await open('/items')
  const answer = holdRequests('post', '*/items/bulk')
  await confirmSelected(actor, 'Notes', 'Delete')
  await stream.hint(backend.items[0]?.id ?? '', null)
  answer()
  await screen.findByText('1 item')
  await waitFor(() => expect(reads()).toBe(1))
})

describe('what others do is shown', () => {
  const rename = (backend: Backend, title: string) => {
    backend.items = backend.items.map((item) => (item.title === 'Plan' ? { ...item, title } : item))
  }

  test('in the moment of an own change, with the same read', async () => {
    const { actor, reads, backend } = await open('/items')
    network.use(
      http.delete('*/items/:id', () => {
        rename(backend, 'Plan B')
        backend.items.unshift(makeItem({ title: 'Of somebody else' }))
      }),
    )
    await confirm(actor, 'Notes', 'Delete')
    await expectToast('The item was deleted successfully')
    await expectRow({ Title: 'Plan B' })
    await expectRow({ Title: 'Of somebody else' })
    expect(reads()).toBe(1)
  })

  test('soon after a change of all rows that match', async () => {
    const { actor, reads, backend, hintAll } = await open('/items?q=item', (prepared) =>
      prepared.items.push(...manyItems(58)),
    )
    await confirmAll(actor, 58, 'Delete')
    await waitFor(() => expect(reads()).toBe(1))
    await screen.findByRole('heading', { name: 'No items found' })
    backend.items.unshift(makeItem({ title: 'Item of somebody else' }))
    hintAll()
    await expectRow({ Title: 'Item of somebody else' })
  })

  test('after an own change that failed', async () => {
    const { actor, backend, hintAll } = await open('/items')
    const answer = Promise.withResolvers<void>()
    network.use(http.put('*/items/:id', () => answer.promise.then(() => refusal(409, 'Not today'))))
    const dialog = await choose(actor, 'Notes', 'Edit')
    await actor.type(dialog.getByLabelText(/^Title/), ' of May')
    await actor.click(dialog.getByRole('button', { name: 'Save' }))
    rename(backend, 'Plan B')
    hintAll()
    expect(screen.queryByText('Plan B')).not.toBeInTheDocument()
    await act(async () => answer.resolve())
    await screen.findByText('Plan B')
  })
})

describe('the focus, after the read,', () => {
  test('stays in a row that has moved', async () => {
    const { actor, reads } = await open('/items?sort=title')
    const dialog = await choose(actor, 'Notes', 'Edit')
    await actor.type(dialog.getByLabelText(/^Title/), '{Home}Z')
    await actor.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(reads()).toBe(1))
    const titles = () => Array.from(document.querySelectorAll('[data-title]'), (title) => title.textContent)
    await waitFor(() => expect(titles()).toEqual(['Plan', 'ZNotes']))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for ZNotes' })).toHaveFocus())
  })

  test('moves to the heading if the row no longer matches', async () => {
    const { actor } = await open('/users?status=active')
    await confirm(actor, 'ada@example.com', 'Deactivate')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Actions for ada@example.com' })).toHaveFocus()
    await waitFor(() => expect(screen.queryByText('ada@example.com')).not.toBeInTheDocument())
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
  })
})
