import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { waits } from '@/data/live/live'
import { type Backend, makeUser, manyUsers, refusal } from '../../support/backend'
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
  const states = () => new Map(backend.users.map((user) => [user.id, encodeURIComponent(JSON.stringify(user))]))
  let known = states()
  function hintAll(): void {
    const last = known
    known = states()
    const hints = Array.from(new Set([...last.keys(), ...known.keys()]), (id) => {
      const state = known.get(id) ?? null
      return state === (last.get(id) ?? null) ? '' : hintOf(id, state, 'users')
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

async function edit(actor: UserEvent): Promise<void> {
  const dialog = await choose(actor, 'ada@example.com', 'Edit')
  await actor.type(dialog.getByLabelText('Full Name'), ' of May')
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
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
  if (action === 'Delete') await actor.click(screen.getByRole('button', { name: /^More actions on/ }))
  await actor.click(await screen.findByRole(action === 'Delete' ? 'menuitem' : 'button', { name: action }))
  await actor.type(await screen.findByLabelText(`Type ${count} to confirm`), `${count}{Enter}`)
}

const addMany = (backend: Backend) => void backend.users.unshift(...manyUsers(58))

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
    url: '/users',
    change: edit,
    shows: () => expectRow({ 'Full Name': 'ada of May' }),
  },
  {
    name: 'a creation',
    url: '/users?sort=email',
    change: async (actor) => {
      await actor.click(screen.getByRole('button', { name: 'Add User' }))
      await actor.type(await screen.findByLabelText(/^Email/), 'eve@example.com')
      for (const label of [/^Password/, /^Confirm/]) await actor.type(screen.getByLabelText(label), 'correct horse')
      await actor.keyboard('{Enter}')
    },
    shows: () => expectRow({ Email: 'eve@example.com' }),
  },
  {
    name: 'a deletion',
    url: '/users',
    change: (actor) => confirm(actor, 'ada@example.com', 'Delete'),
    shows: () => screen.findByText('1–2 of 2 users'),
  },
  {
    name: 'a change of selected rows',
    url: '/users',
    change: (actor) => confirmSelected(actor, 'ada@example.com', 'Deactivate'),
    shows: () => expectRow({ 'Full Name': 'ada', Status: 'Inactive' }),
  },
  {
    name: 'a deletion of all rows that match',
    url: '/users',
    prepare: addMany,
    change: (actor) => confirmAll(actor, 61, 'Delete'),
    shows: () => screen.findByText('1 user'),
  },
  {
    name: 'a change of all rows that match',
    url: '/users',
    prepare: addMany,
    change: (actor) => confirmAll(actor, 61, 'Deactivate'),
    shows: () => expectRow({ Email: 'u0@example.com', Status: 'Inactive' }),
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
    const { actor, reads } = await open('/users', undefined, false)
    await edit(actor)
    await expectRow({ 'Full Name': 'ada of May' })
    await waitFor(() => expect(reads()).toBe(1))
  })
})

test('hints that come before the answer cause no further read', async () => {
  const { actor, reads, backend, stream } = await open('/users')
  const answer = holdRequests('post', '*/users/bulk')
  await confirmSelected(actor, 'ada@example.com', 'Deactivate')
  await stream.hint(backend.users[0]?.id ?? '', 'v2')
  answer()
  await expectRow({ 'Full Name': 'ada', Status: 'Inactive' })
  await waitFor(() => expect(reads()).toBe(1))
})

describe('what others do is shown', () => {
  const rename = (backend: Backend, full_name: string) => {
    backend.users = backend.users.map((user) => (user.full_name === 'ben' ? { ...user, full_name } : user))
  }

  test('in the moment of an own change, with the same read', async () => {
    const { actor, reads, backend } = await open('/users')
    network.use(
      http.delete('*/users/:id', () => {
        rename(backend, 'Benjamin')
        backend.users.unshift(makeUser({ full_name: 'Of somebody else' }))
      }),
    )
    await confirm(actor, 'ada@example.com', 'Delete')
    await expectToast('The user was deleted successfully')
    await expectRow({ 'Full Name': 'Benjamin' })
    await expectRow({ 'Full Name': 'Of somebody else' })
    expect(reads()).toBe(1)
  })

  test('soon after a change of all rows that match', async () => {
    const { actor, reads, backend, hintAll } = await open('/users?q=user', addMany)
    await confirmAll(actor, 58, 'Delete')
    await waitFor(() => expect(reads()).toBe(1))
    await screen.findByRole('heading', { name: 'No users found' })
    backend.users.unshift(makeUser({ full_name: 'User of somebody else' }))
    hintAll()
    await expectRow({ 'Full Name': 'User of somebody else' })
  })

  test('after an own change that failed', async () => {
    const { actor, backend, hintAll } = await open('/users')
    const answer = Promise.withResolvers<void>()
    network.use(http.patch('*/users/:id', () => answer.promise.then(() => refusal(409, 'Not today'))))
    await edit(actor)
    rename(backend, 'Benjamin')
    hintAll()
    expect(screen.queryByText('Benjamin')).not.toBeInTheDocument()
    await act(async () => answer.resolve())
    await screen.findByText('Benjamin')
  })
})

describe('the focus, after the read,', () => {
  test('stays in a row that has moved', async () => {
    const { actor, reads } = await open('/users?sort=full_name')
    const dialog = await choose(actor, 'ada@example.com', 'Edit')
    await actor.type(dialog.getByLabelText('Full Name'), '{Home}Z')
    await actor.click(dialog.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(reads()).toBe(1))
    const names = () => Array.from(document.querySelectorAll('[data-title]'), (title) => title.textContent)
    await waitFor(() => expect(names()).toEqual(['ben', 'RootYou', 'Zada']))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for ada@example.com' })).toHaveFocus())
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
