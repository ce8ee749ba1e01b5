import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import type { ItemPublic, UserPublic } from '@/client/types.gen'
import { type Backend, makeItem, makeUser } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { expectRow, expectToast, renderApp } from '../../../tests/support/render-app'

/** What is edited, with two fields of it: one that is typed into, and one that is not. */
interface Edited {
  subject: string
  url: string
  /** Puts what is edited into the back end. @returns it, and what the row menu of it is called, where there is one */
  prepare: (backend: Backend) => { row: ItemPublic | UserPublic; menu?: string }
  /** Its address. */
  path: (id: string) => string
  method: 'PUT' | 'PATCH'
  typed: { label: string; key: string; was: string }
  other: { label: string; key: string }
}

const forms: Record<string, Edited> = {
  'an item': {
    subject: 'This item',
    url: '/items',
    prepare: (backend) => {
      const row = makeItem({ title: 'Notes', description: 'Old' })
      backend.items.push(row)
      return { row, menu: 'Actions for Notes' }
    },
    path: (id) => `/items/${id}`,
    method: 'PUT',
    typed: { label: 'Title', key: 'title', was: 'Notes' },
    other: { label: 'Description', key: 'description' },
  },
  'a user': {
    subject: 'This user',
    url: '/users',
    prepare: (backend) => {
      const row = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
      backend.users.push(row)
      return { row, menu: 'Actions for grace@example.com' }
    },
    path: (id) => `/users/${id}`,
    method: 'PATCH',
    typed: { label: 'Full Name', key: 'full_name', was: 'Grace' },
    other: { label: 'Email', key: 'email' },
  },
  'one’s own account': {
    subject: 'Your account',
    url: '/settings',
    prepare: (backend) => ({ row: backend.user ?? makeUser() }),
    path: () => '/users/me',
    method: 'PATCH',
    typed: { label: 'Full Name', key: 'full_name', was: 'Root' },
    other: { label: 'Email', key: 'email' },
  },
}

/** Opens the form and types ` by me` behind what is in its field. */
async function startEditing(edited: Edited, hasTags = true) {
  let opened: ReturnType<Edited['prepare']> | undefined
  const app = await renderApp({
    url: edited.url,
    user: makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true }),
    prepare: (backend) => {
      backend.hasTags = hasTags
      opened = edited.prepare(backend)
    },
  })
  if (!opened) throw new Error('Nothing to edit')
  const { row, menu } = opened
  if (menu !== undefined) {
    await app.actor.click(await screen.findByRole('button', { name: menu }))
    await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  }
  const typed = await screen.findByLabelText(new RegExp(`^${edited.typed.label}`))
  await app.actor.type(typed, ' by me')
  const writes = () => requestsTo(`${edited.method} ${edited.path(row.id)}`)
  const save = () => screen.getByRole('button', { name: 'Save' })
  const other = () => screen.getByLabelText(new RegExp(`^${edited.other.label}`))
  return { ...app, row, typed, other, save, writes }
}

describe.each(Object.entries(forms))('%s that was changed elsewhere', (_, edited) => {
  const theirs = { [edited.typed.key]: 'By them', [edited.other.key]: 'them@example.com' }
  const mine = `${edited.typed.was} by me`

  async function meetConflict() {
    const editing = await startEditing(edited)
    Object.assign(editing.row, theirs)
    await editing.actor.click(editing.save())
    return { ...editing, notice: await screen.findByRole('alert') }
  }

  test('is not overwritten: a notice shows what is stored, and what was typed stays', async () => {
    const { notice, typed, other, save, writes, actor } = await meetConflict()
    expect(notice).toHaveTextContent(`${edited.subject} was changed elsewhere in the meantime`)
    const shown = within(notice)
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent])
    expect(shown).toHaveLength(2)
    expect(Object.fromEntries(shown)).toEqual({
      [edited.typed.label]: 'By them',
      [edited.other.label]: 'them@example.com',
    })
    expect(notice).toHaveFocus()
    expect(typed).toHaveValue(mine)
    expect(other()).toHaveValue('them@example.com')
    // Nothing but a choice saves now: not a second Enter either.
    expect(save()).toBeDisabled()
    await actor.type(typed, '{Enter}')
    expect(writes()).toEqual([])
  })

  test('is saved with what was typed, over what was seen in the notice', async () => {
    const { notice, actor, row, writes } = await meetConflict()
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await expectToast(edited.url === '/items' ? 'Item updated successfully.' : 'User updated successfully.')
    expect(row).toMatchObject({ [edited.typed.key]: mine, [edited.other.key]: 'them@example.com' })
    expect(writes()).toMatchObject([
      { ifMatch: expect.stringContaining('By%20them'), body: { [edited.typed.key]: mine } },
    ])
    await waitFor(() => expect(notice).not.toBeInTheDocument())
    await waitFor(() => expect(document.body).not.toHaveFocus())
  })

  test('is shown as it is stored when that is chosen', async () => {
    const { notice, actor, typed, other, save, writes } = await meetConflict()
    await actor.click(within(notice).getByRole('button', { name: 'Use the saved version' }))
    expect(notice).not.toBeInTheDocument()
    expect(typed).toHaveValue('By them')
    expect(other()).toHaveValue('them@example.com')
    expect(save()).toBeDisabled()
    expect(screen.getAllByRole('textbox')).toContain(document.activeElement)
    await actor.type(typed, '!')
    await actor.click(save())
    await waitFor(() => expect(writes()).toMatchObject([{ body: { [edited.typed.key]: 'By them!' } }]))
  })

  test('and once more while the choice was made is not overwritten either', async () => {
    const { notice, actor, row, typed, writes } = await meetConflict()
    Object.assign(row, { [edited.typed.key]: 'By a third' })
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(notice).toHaveTextContent('By a third'))
    expect(within(notice).getAllByRole('term')).toHaveLength(1)
    expect(typed).toHaveValue(mine)
    expect(writes()).toEqual([])
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: mine }))
  })

  test('in the moment between the last look and the change is not overwritten either', async () => {
    const { actor, row, save, writes } = await startEditing(edited)
    const change = http[edited.method === 'PUT' ? 'put' : 'patch']
    network.use(change(`*${edited.path(row.id)}`, () => void Object.assign(row, theirs), { once: true }))
    await actor.click(save())
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(writes()).toHaveLength(1)
    expect(row).toMatchObject(theirs)
  })

  test('is noticed over a back end without entity tags, too', async () => {
    const { actor, row, save, writes } = await startEditing(edited, false)
    Object.assign(row, theirs)
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    expect(writes()).toEqual([])
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: mine }))
    expect(writes()).toMatchObject([{ ifMatch: null }])
  })
})

describe.each(Object.entries(forms))('%s that nobody else changed', (_, edited) => {
  test('is saved by the tag of what is stored, without a question', async () => {
    const { actor, save, writes, row } = await startEditing(edited)
    await actor.click(save())
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: `${edited.typed.was} by me` }))
    expect(writes()).toMatchObject([{ ifMatch: expect.stringMatching(/^"/) }])
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('but to the same as was typed, is saved without a question', async () => {
    const { actor, save, writes, row } = await startEditing(edited)
    Object.assign(row, { [edited.typed.key]: `${edited.typed.was} by me` })
    await actor.click(save())
    await waitFor(() => expect(writes()).toHaveLength(1))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe('a change elsewhere', () => {
  test('shows in the list behind the dialog at once', async () => {
    const { actor, save, row } = await startEditing(forms['an item'] as Edited)
    Object.assign(row, { title: 'By them' })
    await actor.click(save())
    await screen.findByRole('alert')
    await actor.keyboard('{Escape}')
    await waitFor(() => expectRow({ Title: 'By them' }))
  })

  test('that emptied a field or ticked a box is shown in words', async () => {
    const { actor, save, row } = await startEditing(forms['a user'] as Edited)
    Object.assign(row, { full_name: null, is_superuser: true })
    await actor.type(screen.getByLabelText(/^Password/), 'a long password')
    await actor.type(screen.getByLabelText(/^Confirm Password/), 'a long password')
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    expect(
      within(notice)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual(['N/A', 'Yes'])
    expect(screen.getByLabelText('Is superuser?')).toBeChecked()
    expect(screen.getByLabelText(/^Password/)).toHaveValue('a long password')
  })

  test('of one’s own account that came into the page unseen, under what was typed, is asked about', async () => {
    const { actor, save, row, typed, writes, queryClient } = await startEditing(forms['one’s own account'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await screen.findByRole('button', { name: /By them/ })
    expect(typed).toHaveValue('Root by me')
    await actor.click(save())
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(writes()).toEqual([])
  })

  test('of one’s own account that came into the page where nobody was typing has been seen', async () => {
    const { actor, save, row, other, queryClient } = await startEditing(forms['one’s own account'] as Edited)
    Object.assign(row, { email: 'them@example.com' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await waitFor(() => expect(other()).toHaveValue('them@example.com'))
    expect(save()).toBeEnabled()
    await actor.clear(other())
    await actor.type(other(), 'me@example.com')
    await actor.click(save())
    await waitFor(() => expect(row).toMatchObject({ email: 'me@example.com', full_name: 'Root by me' }))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('of one’s own account comes into the form by Cancel', async () => {
    const { actor, row, typed, queryClient } = await startEditing(forms['one’s own account'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await screen.findByRole('button', { name: /By them/ })
    const cancel = screen.getByRole('button', { name: 'Cancel' })
    await actor.click(cancel)
    expect(typed).toHaveValue('By them')
    expect(cancel).toBeDisabled()
  })

  test('before a refusal of another kind leaves the choice open', async () => {
    const { actor, save, row, typed } = await startEditing(forms['an item'] as Edited)
    Object.assign(row, { title: 'By them' })
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    await actor.clear(typed)
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    expect(await screen.findByText('Title is required')).toBeInTheDocument()
    expect(typed).toHaveFocus()
    expect(notice).toBeInTheDocument()
    expect(row).toMatchObject({ title: 'By them' })
  })
})

test.each(['an item', 'a user'])(
  '%s that was deleted elsewhere: the form says so, and keeps what was typed',
  async (name) => {
    const edited = forms[name] as Edited
    const { actor, backend, save, typed, writes } = await startEditing(edited)
    backend.items.length = 0
    backend.users.length = 0
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    expect(notice).toHaveTextContent(`${edited.subject} was deleted in the meantime`)
    expect(within(notice).queryByRole('button')).not.toBeInTheDocument()
    expect(typed).toHaveValue(`${edited.typed.was} by me`)
    expect(save()).toBeDisabled()
    expect(writes()).toEqual([])
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(typed).not.toBeInTheDocument())
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument())
  },
)
