import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { endSession } from '@/data/session'
import { makeUser, never } from '../../support/backend'
import { network } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const ada = makeUser({ email: 'ada@example.com', full_name: 'Ada', is_superuser: true })

async function changeProfile() {
  const app = await renderApp({ url: '/settings', user: ada })
  const name = await screen.findByLabelText('Full Name')
  await app.actor.type(name, ' Lovelace')
  const question = () => screen.findByRole('dialog', { name: 'Discard changes?' })
  return { ...app, name, link: screen.getByRole('link', { name: 'Users' }), question }
}

test('a link asks before it discards a changed profile; Keep Editing and Escape stay on the page', async () => {
  const { actor, link, name, question, router } = await changeProfile()
  await actor.click(link)
  expect(within(await question()).getByRole('button', { name: 'Keep Editing' })).toHaveFocus()
  await actor.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(link).toHaveFocus()

  await actor.click(link)
  await question()
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(router.state.location.pathname).toBe('/settings')
  expect(name).toHaveValue('Ada Lovelace')
})

test('Discard Changes leaves the page, and the focus moves to the heading of the next page', async () => {
  const { actor, link, question } = await changeProfile()
  await actor.click(link)
  await actor.click(within(await question()).getByRole('button', { name: 'Discard Changes' }))
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus())
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test('tabs of the settings do not ask, and neither does a link after the changes are saved', async () => {
  const { actor, link, name, router } = await changeProfile()
  await actor.click(screen.getByRole('tab', { name: 'Appearance' }))
  await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=appearance'))
  await actor.click(screen.getByRole('tab', { name: 'General' }))
  expect(name).toHaveValue('Ada Lovelace')
  await actor.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled())
  await actor.click(link)
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus())
})

const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

async function openEdit() {
  const row = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
  const app = await renderApp({ url: `/users?edit=${row.id}`, user: ada, prepare: ({ users }) => users.push(row) })
  return { ...app, row, name: await screen.findByLabelText('Full Name') }
}

describe('a form dialog that is closed with Escape, Cancel or the close button', () => {
  const undo = () => screen.queryByRole('button', { name: 'Undo' })

  test.each(['{Escape}', 'Cancel', 'Close'])('is reset; Undo opens it again with its text: %s', async (how) => {
    const { actor } = await renderApp({ url: '/users', user: ada })
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    await actor.type(await screen.findByLabelText(/^Email/), 'eve@example.com')
    if (how === '{Escape}') await actor.keyboard(how)
    else await actor.click(screen.getByRole('button', { name: how }))
    await noDialog()
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('dialog', { name: 'Add User' })).toBeInTheDocument()
    await waitFor(() => expect(screen.getByLabelText(/^Email/)).toHaveValue('eve@example.com'))
    expect(screen.getByLabelText(/^Email/)).toHaveFocus()
  })

  test('Undo needs no network where the row is known', async () => {
    const { actor, queryClient, row, name } = await openEdit()
    await actor.type(name, ' Hopper{Escape}')
    await noDialog()
    queryClient.removeQueries({ type: 'inactive' })
    network.use(http.get(`*/users/${row.id}`, never))
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Grace Hopper'))
  })

  test('Undo of a row that is missing does not put the text into a later edit, and is offered again', async () => {
    const { actor, backend, queryClient, row, name } = await openEdit()
    await actor.type(name, ' Hopper{Escape}')
    await noDialog()
    queryClient.removeQueries({ type: 'inactive' })
    backend.users = []
    await act(() => queryClient.invalidateQueries())
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await expectToast('This user no longer exists.', 'error')
    await noDialog()
    backend.users = [row]
    await act(() => queryClient.invalidateQueries())
    await actor.click(screen.getByRole('button', { name: 'Actions for grace@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    expect(await screen.findByLabelText('Full Name')).toHaveValue('Grace')
    await actor.keyboard('{Escape}')
    await noDialog()
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Grace Hopper'))
  })

  test('offers nothing if nothing was typed, or if it was saved', async () => {
    const { actor, name } = await openEdit()
    await actor.keyboard('{Escape}')
    await noDialog()
    expect(name).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Actions for grace@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    await actor.type(await screen.findByLabelText('Full Name'), ' Hopper{Enter}')
    await expectToast('User updated successfully.')
    await noDialog()
    expect(undo()).not.toBeInTheDocument()
  })

  test('does not bring back the text after the session has ended', async () => {
    const { actor } = await renderApp({ url: '/users?add', user: ada })
    await actor.type(await screen.findByLabelText(/^Email/), 'eve@example.com{Escape}')
    await screen.findByRole('button', { name: 'Undo' })
    act(() => endSession('changed'))
    await screen.findByRole('heading', { name: 'Login to your account' })
    await waitFor(() => expect(undo()).not.toBeInTheDocument())
  })
})

test('a press outside closes a form without changes, but not one with changes', async () => {
  const { actor, name } = await openEdit()
  const outside = document.querySelector('.bg-overlay') ?? document.body
  await actor.type(name, '!')
  await actor.click(outside)
  expect(name).toBeInTheDocument()
  await actor.type(name, '{Backspace}')
  await actor.click(outside)
  await noDialog()
})

test('on a wide screen a form is not a sheet, and a swipe does not close it', async () => {
  const { actor, name } = await openEdit()
  const dialog = screen.getByRole('dialog')
  await actor.type(name, '!')
  const finger = { pointerType: 'touch', isPrimary: true, clientY: 100 }
  fireEvent.pointerDown(dialog, { ...finger, clientX: 100 })
  for (const clientX of [150, 250, 400]) fireEvent.pointerMove(dialog, { ...finger, clientX })
  fireEvent.pointerUp(dialog, { ...finger, clientX: 400 })
  expect(name).toHaveValue('Grace!')
  expect(dialog).toHaveAttribute('data-state', 'open')
  expect(dialog).not.toHaveAttribute('style', expect.stringContaining('transform'))
})
