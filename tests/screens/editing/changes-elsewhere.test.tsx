import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { forms, startEditing } from '../../support/edit-forms'
import type { Edited } from '../../support/edited'
import { expectRow } from '../../support/render-app'

describe('a concurrent change', () => {
  test('appears immediately in the list behind the dialog', async () => {
    const { actor, save, row } = await startEditing(forms['a user'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await actor.click(save())
    await screen.findByRole('alert')
    await actor.keyboard('{Escape}')
    await waitFor(() => expectRow({ 'Full Name': 'By them' }))
  })

  test('that cleared a field or checked a box is shown as text', async () => {
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

  test('of the own account is a conflict if it was loaded while the form had unsaved text in that field', async () => {
    const { actor, save, row, typed, writes, queryClient } = await startEditing(forms['one’s own account'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await screen.findByRole('button', { name: /By them/ })
    expect(typed).toHaveValue('Root by me')
    await actor.click(save())
    expect(await screen.findByRole('alert')).toHaveTextContent('By them')
    expect(writes()).toEqual([])
  })

  test('of the own account is no conflict if the form showed it before the save', async () => {
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

  test('of the own account is announced as soon as it is known', async () => {
    const { actor, row, typed, queryClient } = await startEditing(forms['one’s own account'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await screen.findByRole('button', { name: /By them/ })
    expect(await screen.findByText('Changed meanwhile')).toBeVisible()
    expect(typed).toHaveValue('Root by me')
    await actor.click(screen.getByRole('button', { name: 'Use the saved version' }))
    expect(typed).toHaveValue('By them')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
  })

  test('keeps its notice if the next save fails validation', async () => {
    const { actor, save, row, other } = await startEditing(forms['a user'] as Edited)
    Object.assign(row, { full_name: 'By them' })
    await actor.click(save())
    const notice = await screen.findByRole('alert')
    await actor.clear(other())
    await actor.click(within(notice).getByRole('button', { name: 'Save my changes' }))
    expect(await screen.findByText('Email is required')).toBeInTheDocument()
    expect(other()).toHaveFocus()
    expect(notice).toBeInTheDocument()
    expect(row).toMatchObject({ full_name: 'By them' })
  })
})
