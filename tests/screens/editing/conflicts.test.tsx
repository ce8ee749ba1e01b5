import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { forms, startEditing } from '../../support/edit-forms'
import type { Edited } from '../../support/edited'
import { network, requestsTo } from '../../support/network'
import { expectToast } from '../../support/render-app'

describe.each(Object.entries(forms))('%s with a concurrent change', (_, edited) => {
  const theirs = { [edited.typed.key]: 'By them', [edited.other.key]: 'them@example.com' }
  const mine = `${edited.typed.was} by me`

  async function meetConflict() {
    const editing = await startEditing(edited)
    Object.assign(editing.row, theirs)
    await editing.actor.click(editing.save())
    return { ...editing, notice: await screen.findByRole('alert') }
  }

  test('is not overwritten: a notice shows the stored version, and the form keeps its text', async () => {
    const { notice, typed, other, save, writes, actor, row } = await meetConflict()
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
    // Enter must not save again.
    expect(save()).toBeDisabled()
    await actor.type(typed, '{Enter}')
    expect(writes()).toMatchObject([{ ifMatch: expect.not.stringContaining('By%20them') }])
    expect(row).toMatchObject(theirs)
  })

  test('is saved over the version in the notice with Save my changes', async () => {
    const { notice, actor, row, writes } = await meetConflict()
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await expectToast(edited.saved)
    expect(row).toMatchObject({ [edited.typed.key]: mine, [edited.other.key]: 'them@example.com' })
    expect(writes()).toMatchObject([
      { ifMatch: expect.not.stringContaining('By%20them') },
      { ifMatch: expect.stringContaining('By%20them'), body: { [edited.typed.key]: mine } },
    ])
    await waitFor(() => expect(notice).not.toBeInTheDocument())
    await waitFor(() => expect(document.body).not.toHaveFocus())
  })

  test('is shown as stored with Use the saved version', async () => {
    const { notice, actor, typed, other, save, writes } = await meetConflict()
    await actor.click(within(notice).getByRole('button', { name: 'Use the saved version' }))
    expect(notice).not.toBeInTheDocument()
    expect(typed).toHaveValue('By them')
    expect(other()).toHaveValue('them@example.com')
    expect(save()).toBeDisabled()
    expect(screen.getAllByRole('textbox')).toContain(document.activeElement)
    await actor.type(typed, '!')
    await actor.click(save())
    await waitFor(() => expect(writes()).toHaveLength(2))
    await waitFor(() => expect(writes().at(-1)).toMatchObject({ body: { [edited.typed.key]: 'By them!' } }))
  })

  test('is not overwritten if it changes again while the notice is open', async () => {
    const { notice, actor, row, typed } = await meetConflict()
    Object.assign(row, { [edited.typed.key]: 'By a third' })
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(notice).toHaveTextContent('By a third'))
    expect(within(notice).getAllByRole('term')).toHaveLength(1)
    expect(typed).toHaveValue(mine)
    expect(row).toMatchObject({ [edited.typed.key]: 'By a third' })
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: mine }))
  })

  test('is not overwritten if it changes between the last read and the write', async () => {
    const { actor, row, save, writes } = await startEditing(edited)
    const change = http[edited.method === 'PUT' ? 'put' : 'patch']
    network.use(change(`*${edited.path(row.id)}`, () => void Object.assign(row, theirs), { once: true }))
    await actor.click(save())
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(writes()).toHaveLength(1)
    expect(row).toMatchObject(theirs)
  })

  test('is saved without a precondition to a back end without entity tags: only the changed field', async () => {
    const { actor, row, save, writes } = await startEditing(edited, false)
    Object.assign(row, theirs)
    await actor.click(save())
    // A body with other fields needs their newest values. Reading these reveals the conflict.
    if (edited.hasOther) await actor.click(await screen.findByRole('button', { name: 'Save my changes' }))
    await waitFor(() => expect(writes()).toHaveLength(1))
    await waitFor(() => expect(row).toMatchObject({ ...theirs, [edited.typed.key]: mine }))
    const body = { [edited.typed.key]: mine, ...(edited.hasOther && { [edited.other.key]: 'them@example.com' }) }
    expect(writes()).toEqual([expect.objectContaining({ ifMatch: null, body })])
  })

  test('of another field is saved without a notice, and keeps the other change', async () => {
    const { actor, row, save, writes } = await startEditing(edited)
    Object.assign(row, { [edited.other.key]: 'them@example.com' })
    await actor.click(save())
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: mine, [edited.other.key]: 'them@example.com' }))
    const bodyWith = (value: unknown) => ({
      [edited.typed.key]: mine,
      ...(edited.hasOther && { [edited.other.key]: value }),
    })
    expect(writes().map(({ body }) => body)).toEqual([bodyWith('Old'), bodyWith('them@example.com')])
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })
})

describe.each(Object.entries(forms))('%s without a conflicting change', (_, edited) => {
  test('is saved with the current entity tag and without a notice', async () => {
    const { actor, save, writes, row } = await startEditing(edited)
    await actor.click(save())
    await waitFor(() => expect(row).toMatchObject({ [edited.typed.key]: `${edited.typed.was} by me` }))
    expect(writes()).toMatchObject([{ ifMatch: expect.stringMatching(/^"/) }])
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('is saved without a notice if the other change is the same', async () => {
    const { actor, save, writes, row } = await startEditing(edited)
    Object.assign(row, { [edited.typed.key]: `${edited.typed.was} by me` })
    await actor.click(save())
    await expectToast(edited.saved)
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(writes().every(({ ifMatch }) => ifMatch !== null)).toBe(true)
  })
})

test('a second save has the version of the answer to the first', async () => {
  const edited = forms['one’s own account'] as Edited
  const { actor, save, typed, writes, row } = await startEditing(edited)
  await actor.click(save())
  await waitFor(() => expect(row).toMatchObject({ full_name: 'Root by me' }))
  const before = requestsTo('GET /users/me').length
  await actor.type(typed, ', again')
  await actor.click(save())
  await waitFor(() => expect(row).toMatchObject({ full_name: 'Root by me, again' }))
  expect(writes().map(({ ifMatch }) => ifMatch)).toEqual([
    expect.not.stringContaining('by%20me'),
    expect.stringContaining('by%20me'),
  ])
  expect(requestsTo('GET /users/me')).toHaveLength(before)
})

test.each(Object.keys(forms).filter((name) => name !== 'one’s own account'))(
  '%s that was deleted concurrently: the form says so and keeps its text',
  async (name) => {
    const edited = forms[name] as Edited
    const { actor, backend, save, typed, writes } = await startEditing(edited)
    Object.assign(backend, { rows: {}, users: [] })
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    expect(notice).toHaveTextContent(`${edited.subject} was deleted in the meantime`)
    expect(within(notice).queryByRole('button')).not.toBeInTheDocument()
    expect(typed).toHaveValue(`${edited.typed.was} by me`)
    expect(save()).toBeDisabled()
    expect(writes()).toHaveLength(1)
    expect([...Object.values(backend.rows).flat(), ...backend.users]).toEqual([])
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(typed).not.toBeInTheDocument())
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument())
  },
)
