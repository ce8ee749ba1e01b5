import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { links } from '@/lib/resources'
import { makeUser } from '../../support/backend'
import { itemsIn, makeItem } from '../../support/items/rows'
import { renderApp } from '../../support/render-app'

// No resource links to another one yet, so these tests treat the owner of an item as a link.

function linkOwners(onDelete: 'refuse' | 'clear' | 'delete'): void {
  const all = links as (typeof links)[number][]
  all.push({ from: 'items', field: 'owner_id', to: 'items', onDelete })
  onTestFinished(() => void all.pop())
}

test('the dialog of a row says how many rows link to it, and leads to these', async () => {
  linkOwners('refuse')
  const row = makeItem({ title: 'Linked' })
  const { actor, router } = await renderApp({
    url: `/items?edit=${row.id}`,
    user: makeUser(),
    prepare: (backend) => itemsIn(backend).push(row, makeItem({ owner_id: row.id }), makeItem({ owner_id: row.id })),
  })
  const dialog = await screen.findByRole('dialog', { name: 'Edit Item' })
  await actor.click(await within(dialog).findByRole('link', { name: '2 items' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ owner_id: row.id }))
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1–2 of 2 items'))
})

test.each([
  ['refuse', 'This item cannot be deleted yet.', '2 items link to it.', true],
  ['clear', 'This item will be permanently deleted.', '2 items will lose their links to it.', false],
  ['delete', 'This item will be permanently deleted.', '2 items will be deleted, too.', false],
] as const)(
  'a deletion says what happens to rows with a link: %s',
  async (onDelete, question, consequence, isRefused) => {
    linkOwners(onDelete)
    const row = makeItem({ title: 'Linked' })
    await renderApp({
      url: `/items?delete=${row.id}`,
      user: makeUser(),
      prepare: (backend) => itemsIn(backend).push(row, makeItem({ owner_id: row.id }), makeItem({ owner_id: row.id })),
    })
    const dialog = await screen.findByRole('dialog', { name: 'Delete Item' })
    expect(dialog).toHaveTextContent(question)
    expect(within(dialog).getByRole('listitem')).toHaveTextContent(consequence)
    const button = within(dialog).getByRole('button', { name: 'Delete' })
    await waitFor(() => expect(button.hasAttribute('disabled')).toBe(isRefused))
  },
)
