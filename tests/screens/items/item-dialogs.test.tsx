import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { itemsIn, makeItem, manyItems } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const user = makeUser()

describe('/items', () => {
  describe('edit', () => {
    async function openEdit(item = makeItem({ title: 'Notes', description: 'Old' }), prepare?: () => void) {
      const app = await renderApp({
        url: '/items',
        user,
        prepare: (backend) => {
          itemsIn(backend).push(item)
          prepare?.()
        },
      })
      const button = () => screen.getByRole('button', { name: `Actions for ${item.title}` })
      await app.actor.click(await screen.findByRole('button', { name: `Actions for ${item.title}` }))
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      const dialog = await screen.findByRole('dialog', { name: 'Edit Item' })
      const save = within(dialog).getByRole('button', { name: 'Save' })
      return { ...app, button, dialog, save, title: within(dialog).getByLabelText(/^Title/), item }
    }

    test('SPEC 5: Save requires a change; success closes the dialog, shows a toast and updates the list', async () => {
      const { actor, dialog, save, title, item } = await openEdit()
      const button = document.querySelector('[aria-label="Actions for Notes"]')
      expect(title).toHaveFocus()
      expect(save).toBeDisabled()
      await actor.type(title, ' and more')
      expect(save).toBeEnabled()
      await actor.clear(within(dialog).getByLabelText('Description'))
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast('Item updated successfully.')
      await waitFor(() => expectRow({ Title: 'Notes and more', Description: 'N/A' }))
      expect(requestsTo(`PUT /items/${item.id}`).map(({ body }) => body)).toEqual([
        { title: 'Notes and more', description: null },
      ])
      await waitFor(() => expect(screen.getByRole('button', { name: 'Actions for Notes and more' })).toHaveFocus())
      expect(button).toBeInTheDocument()
    })

    test('nothing is selected at first, so that typing does not replace the title', async () => {
      const { actor, title } = await openEdit()
      expect(title).toHaveFocus()
      await actor.keyboard('!')
      expect(title).toHaveDisplayValue(/Notes/)
    })

    test.each([
      ['a later change', -60_000, /^Created 1 hour ago, edited 1 minute ago$/],
      ['no change since', -3_600_000, /^Created 1 hour ago$/],
    ])('says when the item was created, and %s', async (_, editedAt, text) => {
      const now = Date.now()
      const item = makeItem({ title: 'Notes', created_at: new Date(now - 3_600_000).toISOString() })
      const headers = { 'last-modified': new Date(now + editedAt).toUTCString() }
      const { dialog } = await openEdit(item, () =>
        network.use(http.get(`*/items/${item.id}`, () => HttpResponse.json(item, { headers }))),
      )
      expect(within(dialog).getByText(/^Created/)).toHaveTextContent(text)
    })

    test('on a wide screen it is not a sheet, and a swipe does not close it', async () => {
      const { actor, dialog, title } = await openEdit()
      await actor.type(title, '!')
      const finger = { pointerType: 'touch', isPrimary: true, clientY: 100 }
      fireEvent.pointerDown(dialog, { ...finger, clientX: 100 })
      for (const clientX of [150, 250, 400]) fireEvent.pointerMove(dialog, { ...finger, clientX })
      fireEvent.pointerUp(dialog, { ...finger, clientX: 400 })
      expect(title).toHaveValue('Notes!')
      expect(dialog).toHaveAttribute('data-state', 'open')
      expect(dialog).not.toHaveAttribute('style', expect.stringContaining('transform'))
    })

    test('SPEC 5: an empty title shows that it is required, and gets the focus', async () => {
      const { actor, save, title, item } = await openEdit()
      await actor.clear(title)
      expect(save).toBeEnabled()
      await actor.click(save)
      expect(await screen.findByText('Title is required')).toBeInTheDocument()
      expect(title).toHaveFocus()
      expect(requestsTo(`PUT /items/${item.id}`)).toEqual([])
    })

    test('Ctrl+Enter in the description saves, if Save is enabled', async () => {
      const { actor, dialog, item } = await openEdit()
      const text = within(dialog).getByLabelText('Description')
      await actor.click(text)
      await actor.keyboard('{Control>}{Enter}{/Control}')
      expect(requestsTo(`PUT /items/${item.id}`)).toEqual([])
      await actor.type(text, '{End}er')
      await actor.keyboard('{Control>}{Enter}{/Control}')
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      expect(requestsTo(`PUT /items/${item.id}`).map(({ body }) => body)).toEqual([
        { title: 'Notes', description: 'Older' },
      ])
    })

    test('Escape returns the focus to the row’s button', async () => {
      const { actor, button, dialog } = await openEdit()
      await actor.keyboard('{Escape}')
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await waitFor(() => expect(button()).toHaveFocus())
    })

    test('a focus that moves as soon as the dialog has closed stays', async () => {
      const { actor, dialog } = await openEdit()
      const box = screen.getByRole('searchbox', { hidden: true })
      const observer = new MutationObserver(() => {
        if (dialog.isConnected) return
        observer.disconnect()
        box.focus()
      })
      observer.observe(document.body, { childList: true })
      await actor.keyboard('{Escape}')
      await waitFor(() => expect(box).toHaveFocus())
      // The dialog returns the focus in a later task.
      await new Promise((resolve) => setTimeout(resolve))
      await new Promise((resolve) => setTimeout(resolve))
      expect(box).toHaveFocus()
    })

    test('reopened after an error, it shows the stored data and no message', async () => {
      const { actor, button, dialog, save, title, item } = await openEdit()
      network.use(http.put(`*/items/${item.id}`, () => refusal(500, 'Out of order')))
      await actor.clear(title)
      await actor.tab()
      await actor.type(title, 'Never stored')
      await actor.click(save)
      await expectToast('Out of order')
      expect(title).toHaveValue('Never stored')
      await actor.click(within(dialog).getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(dialog).not.toBeInTheDocument())

      await actor.click(button())
      await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      expect(await screen.findByLabelText(/^Title/)).toHaveValue('Notes')
      expect(screen.queryByText('Title is required')).not.toBeInTheDocument()
      expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    })

    test('a click outside closes a form without changes, but not one with changes', async () => {
      const { actor, dialog, title } = await openEdit()
      const outside = document.querySelector('.bg-overlay') ?? document.body
      await actor.type(title, '!')
      await actor.click(outside)
      expect(dialog).toBeInTheDocument()
      await actor.type(title, '{Backspace}')
      await actor.click(outside)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
    })
  })

  test('a late success closes only its own dialog, not one that was opened later', async () => {
    const [first, second] = manyItems(2)
    const { actor } = await renderApp({
      url: '/items',
      user,
      prepare: (backend) => itemsIn(backend).push(...[first, second].flatMap((item) => item ?? [])),
    })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.put(`*/items/${first?.id}`, () => held))
    const openEditOf = async (name: string) => {
      await actor.click(await screen.findByRole('button', { name: `Actions for ${name}` }))
      await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      return screen.findByLabelText('Description')
    }
    await actor.type(await openEditOf('Item 1'), 'quick')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const description = await openEditOf('Item 2')
    await actor.type(description, 'half writ')
    release()
    await expectToast('Item updated successfully.')
    await actor.type(description, 'ten')
    expect(description).toBeInTheDocument()
    expect(description).toHaveValue('half written')
  })

  describe('delete', () => {
    async function openDelete(items: ReturnType<typeof makeItem>[], url = '/items') {
      const app = await renderApp({ url, user, prepare: (backend) => itemsIn(backend).push(...items) })
      const button = await screen.findByRole('button', { name: `Actions for ${items.at(-1)?.title}` })
      await app.actor.click(button)
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      const dialog = await screen.findByRole('dialog', { name: 'Delete Item' })
      return { ...app, button, dialog, confirm: within(dialog).getByRole('button', { name: 'Delete' }) }
    }

    test('SPEC 2: warns that it is permanent; the focus starts on Cancel', async () => {
      const { dialog } = await openDelete([makeItem()])
      expect(dialog).toHaveAccessibleDescription(/permanently deleted.*cannot be undone/)
      expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus()
    })

    test('names the row as the list shows it, although older lists have another title', async () => {
      const item = makeItem({ title: 'Draft' })
      const prepare = (backend: Backend) => itemsIn(backend).push(item)
      const { actor, queryClient, router } = await renderApp({ url: '/items', user, prepare })
      // Opening the menu prefetches the row.
      await actor.click(await screen.findByRole('button', { name: 'Actions for Draft' }))
      await waitFor(() => expect(queryClient.isFetching()).toBe(0))
      await actor.keyboard('{Escape}')
      item.title = 'Final'
      await act(() => router.navigate({ to: '/items', search: { sort: 'title' } }))
      await actor.click(await screen.findByRole('button', { name: 'Actions for Final' }))
      await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      expect(await screen.findByRole('dialog', { name: 'Delete Item' })).toHaveTextContent('“Final”')
    })

    test('SPEC 4: success closes the dialog, shows a toast, removes the row and focuses the heading', async () => {
      const { actor, confirm, dialog } = await openDelete([makeItem({ title: 'Stays' }), makeItem({ title: 'Goes' })])
      await actor.click(confirm)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast('The item was deleted successfully')
      await waitFor(() => expect(screen.queryByText('Goes')).not.toBeInTheDocument())
      expect(screen.getByText('Stays')).toBeInTheDocument()
      expect(screen.getByRole('heading', { name: 'Items' })).toHaveFocus()
    })

    test('SPEC 8: a failure shows its own message, and the dialog stays open', async () => {
      const { actor, confirm, dialog } = await openDelete([makeItem()])
      network.use(http.delete('*/items/:id', () => refusal(409, 'Item not found')))
      await actor.click(confirm)
      await expectToast('An error occurred while deleting the item')
      expect(dialog).toBeInTheDocument()
      expect(screen.queryByText('Item not found')).not.toBeInTheDocument()
    })

    test('a failure while offline adds that to the message of SPEC 8', async () => {
      const { actor, confirm } = await openDelete([makeItem()])
      network.use(http.delete('*/items/:id', () => HttpResponse.error()))
      vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
      await actor.click(confirm)
      await expectToast('An error occurred while deleting the item', 'error')
      await expectToast('You are offline.', 'error')
    })

    test('a title with a right-to-left override is isolated from the warning', async () => {
      const title = '\u202Egnihton tsuj'
      const { dialog } = await openDelete([makeItem({ title })])
      expect(within(dialog).getByText(title).tagName).toBe('BDI')
    })

    test('deleting the last row of the last page opens the page before it', async () => {
      const { actor, confirm, router } = await openDelete(manyItems(51), '/items?page=2')
      const shown = new Set<boolean>()
      const observer = new MutationObserver(() => shown.add(screen.queryByText('No items') !== null))
      observer.observe(document.body, { childList: true, subtree: true })
      await actor.click(confirm)
      await waitFor(() => expect(router.state.location.href).toBe('/items?page=1'))
      await waitFor(() => expectRow({ Title: 'Item 50' }))
      observer.disconnect()
      // The empty state was never shown, not even for a moment.
      expect([...shown]).toEqual([false])
      expect(screen.queryByText('Item 51')).not.toBeInTheDocument()
    })
  })
})

test('a press on a row or its name opens it, and the name gets the focus back', async () => {
  const { actor } = await renderApp({
    url: '/items',
    user: makeUser(),
    prepare: (backend) => itemsIn(backend).push(makeItem({ title: 'Old' })),
  })
  const opener = await screen.findByRole('link', { name: 'Old' })
  for (const target of [opener, opener.closest('tr')?.lastElementChild ?? opener]) {
    await actor.click(target)
    await screen.findByRole('dialog', { name: 'Edit Item' })
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(opener).toHaveFocus()
  }
})
