import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { links } from '@/lib/resources'
import { makeItem, makeUser } from '../../support/backend'
import { renderApp } from '../../support/render-app'

// No resource links to another one yet, so these tests treat the owner of an item as a link.

test('the dialog of a row says how many rows link to it, and leads to these', async () => {
  const all = links as (typeof links)[number][]
  all.push({ from: 'items', field: 'owner_id', to: 'items', onDelete: 'refuse' })
  onTestFinished(() => void all.pop())
  const row = makeItem({ title: 'Linked' })
  const { actor, router } = await renderApp({
    url: `/items?edit=${row.id}`,
    user: makeUser(),
    prepare: ({ items }) => items.push(row, makeItem({ owner_id: row.id }), makeItem({ owner_id: row.id })),
  })
  const dialog = await screen.findByRole('dialog', { name: 'Edit Item' })
  await actor.click(await within(dialog).findByRole('link', { name: '2 items' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ owner_id: row.id }))
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('1–2 of 2 items'))
})
