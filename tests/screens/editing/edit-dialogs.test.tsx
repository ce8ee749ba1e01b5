import { act, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { beginSession } from '@/data/session'
import { resources } from '@/lib/resources'
import { makeUser, never, refusal } from '../../support/backend'
import { forms } from '../../support/edit-forms'
import type { Edited } from '../../support/edited'
import { holdRequests, network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

describe.each(Object.keys(forms).filter((name) => name !== 'one’s own account'))('the form of %s', (name) => {
  const edited = forms[name] as Edited

  async function openForm() {
    let row: ReturnType<Edited['prepare']>['row'] | undefined
    const app = await renderApp({
      url: edited.url,
      user: root,
      prepare: (backend) => void ({ row } = edited.prepare(backend)),
    })
    if (!row) throw new Error('Nothing to edit')
    await screen.findByText(edited.typed.was)
    const path = edited.path(row.id)
    const answer = holdRequests('get', `*${path}`)
    await act(() => app.router.navigate({ href: `${edited.url}?edit=${row?.id}` }))
    const typed = await screen.findByLabelText(new RegExp(`^${edited.typed.label}`))
    const writes = () => requestsTo(`${edited.method} ${path}`)
    const reads = () => requestsTo(`GET ${path}`)
    const save = () => app.actor.click(screen.getByRole('button', { name: 'Save' }))
    return { ...app, row, path, answer, typed, writes, reads, save }
  }

  test('begins in its first text, with nothing selected, so that typing does not replace it', async () => {
    const { actor, typed } = await openForm()
    await waitFor(() => expect(typed).toHaveFocus())
    await actor.keyboard('!')
    expect(typed).toHaveDisplayValue(new RegExp(edited.typed.was))
  })

  test('is filled from the list before its read is answered, and keeps what was typed after it', async () => {
    const { actor, row, typed, answer, reads, writes, save } = await openForm()
    expect(typed).toHaveValue(edited.typed.was)
    await waitFor(() => expect(reads()).toHaveLength(1))
    await actor.type(typed, ' by me')
    Object.assign(row, { [edited.other.key]: 'them@example.com' })
    answer()
    await waitFor(() =>
      expect(screen.getByLabelText(new RegExp(`^${edited.other.label}`))).toHaveValue('them@example.com'),
    )
    expect(typed).toHaveValue(`${edited.typed.was} by me`)
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(writes()).toMatchObject([
      { ifMatch: expect.stringContaining('them'), body: { [edited.typed.key]: `${edited.typed.was} by me` } },
    ])
    expect(reads()).toHaveLength(1)
  })

  test('saves before its read is answered, with the version of the list', async () => {
    const { actor, typed, reads, writes, save } = await openForm()
    await waitFor(() => expect(reads()).toHaveLength(1))
    await actor.type(typed, ' by me')
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(writes()).toMatchObject([{ ifMatch: expect.stringContaining(edited.typed.was) }])
  })

  test('asks about a change since the list was read, if it saves before its read is answered', async () => {
    const { actor, row, typed, answer, writes, save } = await openForm()
    await actor.type(typed, ' by me')
    Object.assign(row, { [edited.typed.key]: 'By them' })
    await save()
    await waitFor(() => expect(writes()).toHaveLength(1))
    answer()
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(row).toMatchObject({ [edited.typed.key]: 'By them' })
    expect(typed).toHaveValue(`${edited.typed.was} by me`)
  })

  test('asks about a change that its read brings to a field in which somebody types', async () => {
    const { actor, row, typed, answer, writes } = await openForm()
    await actor.type(typed, ' by me')
    Object.assign(row, { [edited.typed.key]: 'By them' })
    answer()
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(writes()).toEqual([])
  })

  test('stays open if its read fails, and saves', async () => {
    const { actor, path, typed, answer, reads, writes, save } = await openForm()
    network.use(http.get(`*${path}`, () => refusal(409, 'Not now'), { once: true }))
    answer()
    await actor.type(typed, ' by me')
    await waitFor(() => expect(reads()).toHaveLength(1))
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(writes()).toMatchObject([{ ifMatch: expect.stringContaining(edited.typed.was) }])
  })

  test('closes if its read finds nothing, unless somebody has typed', async () => {
    const { backend, answer } = await openForm()
    Object.assign(backend, { rows: {}, users: [] })
    answer()
    await expectToast(`${edited.subject} no longer exists.`, 'error')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  test('keeps what was typed if its read finds nothing; Save says so', async () => {
    const { actor, backend, typed, answer, save, writes } = await openForm()
    await actor.type(typed, ' by me')
    Object.assign(backend, { rows: {}, users: [] })
    answer()
    await save()
    expect(await screen.findByRole('alert')).toHaveTextContent(`${edited.subject} was deleted in the meantime.`)
    expect(typed).toHaveValue(`${edited.typed.was} by me`)
    expect(writes()).toEqual([])
  })
})

test.each(['delete', 'deactivate', 'make_superuser', 'resend'])('?%s asks without a request', async (kind) => {
  const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
  const { router } = await renderApp({ url: '/users', user: root, prepare: (backend) => backend.users.push(grace) })
  await screen.findByText('Grace')
  network.use(...resources.map(({ tag }) => http.get(`*/${tag}/`, never)))
  await act(() => router.navigate({ href: `/users?${kind}=${grace.id}` }))
  expect(await screen.findByRole('dialog')).toHaveTextContent('grace@example.com')
  expect(requestsTo(`GET /users/${grace.id}`)).toEqual([])
})

test('the next account sees nothing of a row that the one before it knew', async () => {
  const grace = makeUser({ full_name: 'Secret name' })
  const { id } = grace
  const { backend, router } = await renderApp({ url: '/users', user: root, prepare: ({ users }) => users.push(grace) })
  await screen.findByText('Secret name')
  network.use(http.get('*/users/', never), http.get(`*/users/${id}`, never))
  await act(() => router.navigate({ href: `/users?edit=${id}` }))
  await screen.findByDisplayValue('Secret name')
  backend.user = makeUser({ email: 'next@example.com', full_name: 'Next', is_superuser: true })
  backend.token = 'next-token'
  await act(() => beginSession(backend.token))
  await act(() => router.navigate({ href: `/users?edit=${id}` }))
  await screen.findByRole('button', { name: /Next/ })
  expect(document.body).not.toHaveTextContent('Secret name')
  expect(screen.queryByDisplayValue('Secret name')).not.toBeInTheDocument()
})
