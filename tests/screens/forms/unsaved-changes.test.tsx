import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { endSession } from '@/data/session'
import { type Backend, makeItem, makeUser, never } from '../../support/backend'
import { network } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const ada = makeUser({ email: 'ada@example.com', full_name: 'Ada' })

async function changeProfile() {
  const app = await renderApp({ url: '/settings', user: ada })
  const name = await screen.findByLabelText('Full Name')
  await app.actor.type(name, ' Lovelace')
  const link = screen.getByRole('link', { name: 'Items' })
  const question = () => screen.findByRole('dialog', { name: 'Discard changes?' })
  return { ...app, name, link, question }
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
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus())
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
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus())
})

describe('a form dialog that is closed with Escape, Cancel or the close button', () => {
  const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  const undo = () => screen.queryByRole('button', { name: 'Undo' })

  test.each(['{Escape}', 'Cancel', 'Close'])('is reset; Undo opens it again with its text: %s', async (how) => {
    const { actor } = await renderApp({ url: '/items', user: ada })
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Garden plan')
    if (how === '{Escape}') await actor.keyboard(how)
    else await actor.click(screen.getByRole('button', { name: how }))
    await noDialog()
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(await screen.findByRole('dialog', { name: 'Add Item' })).toBeInTheDocument()
    await waitFor(() => expect(screen.getByLabelText(/^Title/)).toHaveValue('Garden plan'))
    expect(screen.getByLabelText(/^Title/)).toHaveFocus()
  })

  test('Undo needs no network where the row is known', async () => {
    const item = makeItem({ title: 'Notes' })
    const prepare = (backend: Backend) => backend.items.push(item)
    const { actor, queryClient } = await renderApp({ url: `/items?edit=${item.id}`, user: ada, prepare })
    await actor.type(await screen.findByLabelText(/^Title/), ' of May{Escape}')
    await noDialog()
    queryClient.removeQueries({ type: 'inactive' })
    network.use(http.get('*/items/:id', never))
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.getByLabelText(/^Title/)).toHaveValue('Notes of May'))
  })

  test('Undo of a row that is missing does not put the text into a later edit, and is offered again', async () => {
    const item = makeItem({ title: 'Notes' })
    const prepare = (backend: Backend) => backend.items.push(item)
    const { actor, backend, queryClient } = await renderApp({ url: `/items?edit=${item.id}`, user: ada, prepare })
    await actor.type(await screen.findByLabelText(/^Title/), ' of May{Escape}')
    await noDialog()
    queryClient.removeQueries({ type: 'inactive' })
    backend.items = []
    await act(() => queryClient.invalidateQueries())
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await expectToast('This item no longer exists.', 'error')
    await noDialog()

    backend.items = [item]
    await act(() => queryClient.invalidateQueries())
    await actor.click(screen.getByRole('button', { name: 'Actions for Notes' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    expect(await screen.findByLabelText(/^Title/)).toHaveValue('Notes')
    await actor.keyboard('{Escape}')
    await noDialog()
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(screen.getByLabelText(/^Title/)).toHaveValue('Notes of May'))
  })

  test('offers nothing if nothing was typed, or if it was saved', async () => {
    const { actor } = await renderApp({ url: '/items?add', user: ada })
    const title = await screen.findByLabelText(/^Title/)
    await actor.keyboard('{Escape}')
    await noDialog()
    expect(title).not.toBeInTheDocument()
    await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
    await actor.type(await screen.findByLabelText(/^Title/), 'Garden plan{Enter}')
    await expectToast('Item created successfully.')
    await noDialog()
    expect(undo()).not.toBeInTheDocument()
  })

  test('does not bring back the text after the session has ended', async () => {
    const { actor } = await renderApp({ url: '/items?add', user: ada })
    await actor.type(await screen.findByLabelText(/^Title/), 'Garden plan{Escape}')
    await screen.findByRole('button', { name: 'Undo' })
    act(() => endSession('changed'))
    await screen.findByRole('heading', { name: 'Login to your account' })
    await waitFor(() => expect(undo()).not.toBeInTheDocument())
  })
})
