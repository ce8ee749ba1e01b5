import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeUser } from '../../support/backend'
import { itemsIn, makeItem } from '../../support/items/rows'
import { listLoaded, renderApp } from '../../support/render-app'

test('a press on a title opens its dialog here; the link is not marked as the current page, and gets the focus back', async () => {
  const groceries = makeItem({ title: 'Groceries' })
  const { actor, router } = await renderApp({
    url: '/items?q=groceries',
    user: makeUser({ is_superuser: true }),
    prepare: (backend) => itemsIn(backend).push(groceries),
  })
  await listLoaded()
  const link = screen.getByRole('link', { name: 'Groceries' })
  await actor.click(link)
  await screen.findByRole('dialog', { name: 'Edit Item' })
  expect(router.state.location.search).toEqual({ q: 'groceries', edit: groceries.id })
  expect(link).not.toHaveAttribute('aria-current')
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(link).toHaveFocus())
  await actor.keyboard('{Enter}')
  expect(await screen.findByRole('dialog', { name: 'Edit Item' })).toBeInTheDocument()
})
