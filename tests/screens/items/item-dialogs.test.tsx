import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { itemsIn, makeItem } from '../../support/items/rows'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const user = makeUser()

describe('/items', () => {
  describe('edit', () => {
    async function openEdit() {
      const item = makeItem({ title: 'Notes', description: 'Old' })
      const app = await renderApp({ url: '/items', user, prepare: (backend) => itemsIn(backend).push(item) })
      await app.actor.click(await screen.findByRole('button', { name: 'Actions for Notes' }))
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      const dialog = await screen.findByRole('dialog', { name: 'Edit Item' })
      const save = within(dialog).getByRole('button', { name: 'Save' })
      return { ...app, dialog, save, title: within(dialog).getByLabelText(/^Title/), item }
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

    test('SPEC 5: an empty title shows that it is required, and gets the focus', async () => {
      const { actor, save, title, item } = await openEdit()
      await actor.clear(title)
      expect(save).toBeEnabled()
      await actor.click(save)
      expect(await screen.findByText('Title is required')).toBeInTheDocument()
      expect(title).toHaveFocus()
      expect(requestsTo(`PUT /items/${item.id}`)).toEqual([])
    })
  })

  describe('delete', () => {
    async function openDelete(items: ReturnType<typeof makeItem>[]) {
      const app = await renderApp({ url: '/items', user, prepare: (backend) => itemsIn(backend).push(...items) })
      await app.actor.click(await screen.findByRole('button', { name: `Actions for ${items.at(-1)?.title}` }))
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      const dialog = await screen.findByRole('dialog', { name: 'Delete Item' })
      return { ...app, dialog, confirm: within(dialog).getByRole('button', { name: 'Delete' }) }
    }

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
  })
})
