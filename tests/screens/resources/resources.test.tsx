import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test } from 'vitest'
import { screens } from '@/lib/screens'
import { hasPages } from '@/data/resources'
import { links, resources } from '@/lib/resources'
import { type Backend, makeUser } from '../../support/backend'
import { renderApp } from '../../support/render-app'
import { makeRow, sampleOfTable, samples } from '../../support/samples'
import { screenOf } from '../../support/screen-sample'
import { testRowPage } from '../../support/test-row-page'
import { testScreen } from '../../support/test-screen'

test('each resource has a screen', () => {
  expect(samples.filter(({ table }) => !(`/${table}` in screens))).toEqual([])
})

for (const { tag } of resources) {
  testScreen(tag)
  if (hasPages(tag)) testRowPage(tag)
}

test.each(resources.filter(({ tag }) => !hasPages(tag)))(
  'a press on a row of $tag or its name opens its form, and the name gets the focus back',
  async ({ tag }) => {
    const { path, Noun } = screenOf(tag)
    const row = makeRow(tag, { [sampleOfTable(tag).searched[0]]: 'Old' })
    const { actor, router } = await renderApp({
      url: `${path}?q=old`,
      user: makeUser(),
      prepare: (backend) => backend.rowsOf(tag).push(row),
    })
    const link = await screen.findByRole('link', { name: 'Old' })
    for (const press of [
      () => actor.click(link),
      () => actor.keyboard('{Enter}'),
      () => actor.click(link.closest('tr')?.lastElementChild ?? link),
    ]) {
      await press()
      await screen.findByRole('dialog', { name: `Edit ${Noun}` })
      expect(router.state.location.search).toEqual({ q: 'old', edit: row.id })
      expect(link).not.toHaveAttribute('aria-current')
      await actor.keyboard('{Escape}')
      await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
      await waitFor(() => expect(link).toHaveFocus())
    }
  },
)

// A product may have no links, so these tests treat the owner of a row as one.
describe.each(resources.slice(0, 1))('rows that link to a row of $tag', ({ tag: table, noun }) => {
  const { path, Noun } = screenOf(table)
  const { id } = makeRow(table)
  const user = makeUser()
  const two = `2 ${table}`

  function linkOwners(onDelete: 'refuse' | 'clear' | 'delete'): void {
    links.push({ from: table, field: 'owner_id', to: table, onDelete })
    onTestFinished(() => void links.pop())
  }

  const prepare = (backend: Backend) =>
    backend.rowsOf(table).push(...[{ id }, { owner_id: id }, { owner_id: id }].map((values) => makeRow(table, values)))

  test('are counted in its form, which leads to them', async () => {
    linkOwners('refuse')
    const { actor, router } = await renderApp({ url: `${path}?edit=${id}`, user, prepare })
    const dialog = await screen.findByRole('dialog', { name: `Edit ${Noun}` })
    await actor.click(await within(dialog).findByRole('link', { name: two }))
    await waitFor(() => expect(router.state.location.search).toEqual({ owner_id: id }))
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(`1–2 of ${two}`))
  })

  test.each([
    ['refuse', `This ${noun} cannot be deleted yet.`, `${two} link to it.`, true],
    ['clear', `This ${noun} will be permanently deleted.`, `${two} will lose their links to it.`, false],
    ['delete', `This ${noun} will be permanently deleted.`, `${two} will be deleted, too.`, false],
  ] as const)(
    'are named by its deletion, with what happens to them: %s',
    async (onDelete, question, consequence, isRefused) => {
      linkOwners(onDelete)
      await renderApp({ url: `${path}?delete=${id}`, user, prepare })
      const dialog = await screen.findByRole('dialog', { name: `Delete ${Noun}` })
      expect(dialog).toHaveTextContent(question)
      expect(within(dialog).getByRole('listitem')).toHaveTextContent(consequence)
      const button = within(dialog).getByRole('button', { name: 'Delete' })
      await waitFor(() => expect(button.hasAttribute('disabled')).toBe(isRefused))
    },
  )
})
