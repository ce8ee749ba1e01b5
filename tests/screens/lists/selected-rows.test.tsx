import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import type { BulkResult } from '@/client/types.gen'
import { isolate } from '@/lib/text'
import { ownedRows } from '@/lib/owned-rows'
import { makeUser, manyUsers, refusal } from '../../support/backend'
import { itemsIn, itemsPath, manyItems } from '../../support/items/rows'
import { holdRequests, network, requestsTo } from '../../support/network'
import { stubConnection } from '../../support/connection'
import { expectToast, listLoaded, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

const box = (name: string) => screen.findByRole('checkbox', { name })
const pageBox = () => box('Select all on this page')
const bar = () => screen.findByRole('region', { name: /^Selected/ })

const rowBoxes = async () =>
  (await screen.findAllByRole('checkbox', { name: /^Select / })).filter((one) => one.closest('tbody') !== null)

const users = ['ada', 'ben', 'eve'].map((name) => makeUser({ email: `${name}@example.com`, full_name: name }))

async function open(url: string, given = users) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(...given)
      itemsIn(backend).push(...manyItems(3))
    },
  })
  await listLoaded()
  return app
}

const openUsers = (count: number) => open('/users', manyUsers(count))

async function askToDelete(actor: UserEvent): Promise<void> {
  const more = within(await bar()).queryByRole('button', { name: /^More actions/ })
  if (more) await actor.click(more)
  await actor.click(await screen.findByRole(more ? 'menuitem' : 'button', { name: 'Delete' }))
}

const readNothingAhead = () => stubConnection({ saveData: true })

describe('while other rows load', () => {
  test.each([
    ['a search', { q: 'User 59' }, '1 user', 1],
    ['the next page', { page: 2 }, '51–60 of 60 users', 10],
  ])('the old ones cannot be selected: %s', async (_, search, status, count) => {
    readNothingAhead()
    const { actor, router } = await openUsers(60)
    const release = holdRequests('get', '*/users/')
    await act(() => router.navigate({ to: '/users', search }))
    const heading = await pageBox()
    expect(heading).toBeDisabled()
    await actor.click(heading)
    expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument()
    release()
    await screen.findByText(status)
    expect(heading).toBeEnabled()
    expect(heading).not.toBeChecked()
    await actor.click(heading)
    expect(await bar()).toHaveTextContent(`${count} selected.`)
  })

  test('those of other pages stay selected, and Select all adds none', async () => {
    readNothingAhead()
    const { actor } = await openUsers(60)
    await actor.click(await pageBox())
    const all = within(await bar()).getByRole('checkbox', { name: 'All on this page' })
    const release = holdRequests('get', '*/users/')
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await waitFor(() => expect(all).toBeDisabled())
    expect(await bar()).toHaveTextContent('50 selected.')
    release()
    await screen.findByText('51–60 of 60 users')
    expect(all).toBeEnabled()
    expect(await bar()).toHaveTextContent('50 selected.')
    expect(requestsTo('GET /users/')).toHaveLength(2)
  })
})

describe('after a failure that may have changed rows', () => {
  const answers: [string, () => Response][] = [
    ['without a response', () => HttpResponse.error()],
    ['503', () => refusal(503, 'Only 2 of 3 users were processed, please try again for the rest')],
    ['429', () => refusal(429, 'Too many requests')],
  ]

  test.each(answers)('the list is read again: %s; rows that are gone then count as deleted', async (_, answer) => {
    const { actor, backend } = await openUsers(3)
    await actor.click(await pageBox())
    await askToDelete(actor)
    const [kept] = backend.users
    network.use(
      http.post(
        '*/users/bulk',
        () => {
          backend.users = backend.users.slice(0, 1)
          return answer()
        },
        { once: true },
      ),
    )
    const confirm = await screen.findByRole('button', { name: 'Delete 3 users' })
    await actor.click(confirm)
    await screen.findByText('1 user')
    const refused = requestsTo('POST /users/bulk')
      .flatMap(({ body }) => (body as { ids: string[] }).ids)
      .filter((id) => id !== kept?.id)
      .map((id) => ({ id, detail: 'User not found' }))
    network.use(http.post('*/users/bulk', () => HttpResponse.json({ changed: 1, unchanged: 0, refused })))
    await actor.click(confirm)
    await expectToast('3 users were deleted.', 'success')
    await waitFor(() => expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument())
  })
})

describe('deleted rows leave the selection', () => {
  test.each([
    ['an item', itemsPath, 'item'],
    ['a user', '/users', 'user'],
  ])('%s deleted by its menu', async (_, url, noun) => {
    const { actor } = await open(url)
    const boxes = await rowBoxes()
    for (const one of boxes.slice(0, 2)) await actor.click(one)
    expect(await bar()).toHaveTextContent('2 selected.')
    const name = boxes[0]?.getAttribute('aria-label')?.replace('Select ', '')
    await actor.click(screen.getByRole('button', { name: `Actions for ${name}` }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    const dialog = await screen.findByRole('dialog')
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await expectToast(`The ${noun} was deleted successfully`, 'success')
    expect(await bar()).toHaveTextContent('1 selected.')
  })

  test('also after the dialog was closed while they were deleted', async () => {
    const { actor } = await openUsers(3)
    const boxes = await rowBoxes()
    for (const one of boxes.slice(0, 2)) await actor.click(one)
    const release = holdRequests('post', '*/users/bulk')
    await askToDelete(actor)
    await actor.click(await screen.findByRole('button', { name: 'Delete 2 users' }))
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    if (boxes[2]) await actor.click(boxes[2])
    expect(await bar()).toHaveTextContent('3 selected.')
    release()
    await expectToast('2 users were deleted.', 'success')
    await waitFor(async () => expect(await bar()).toHaveTextContent('1 selected.'))
  })
})

describe('the result of a bulk action', () => {
  async function activate(result: BulkResult) {
    const { actor } = await open('/users')
    await actor.click(await pageBox())
    network.use(http.post('*/users/bulk', () => HttpResponse.json(result)))
    await actor.click(within(await bar()).getByRole('button', { name: 'Activate' }))
    await actor.click(await screen.findByRole('button', { name: 'Activate 3 users' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  }
  const [ada, ben] = users.map(({ id }) => id)

  test('says who was changed, who needed no change, and who was refused and why; those stay selected', async () => {
    await activate({ changed: 1, unchanged: 1, refused: [{ id: ben ?? '', detail: 'User not found' }] })
    await expectToast('1 user activated.', 'error')
    const name = isolate('ben@example.com')
    await expectToast(`1 user was active already. ${name} could not be changed: User not found.`, 'error')
    expect(await bar()).toHaveTextContent('1 selected.')
    expect(await box('Select ben@example.com')).toBeChecked()
    expect(await box('Select ada@example.com')).not.toBeChecked()
  })

  test('says each reason once', async () => {
    const refused = [ada, ben].map((id) => ({ id: id ?? '', detail: 'User not found' }))
    await activate({ changed: 0, unchanged: 1, refused })
    await expectToast('1 user was active already.', 'error')
    const names = ['ada@example.com', 'ben@example.com'].map(isolate).join(', ')
    await expectToast(`${names} could not be changed: User not found.`, 'error')
  })

  test('is a success if nothing had to be changed', async () => {
    await activate({ changed: 0, unchanged: 3, refused: [] })
    await expectToast('3 users were active already.', 'success')
    expect(screen.queryByRole('region', { name: /^Selected/ })).not.toBeInTheDocument()
  })
})

describe('the confirmation of a bulk action', () => {
  test.each([
    ['an item', itemsPath, /This item will be permanently deleted\. This action cannot be undone\.$/],
    [
      'a user',
      '/users',
      new RegExp(`All ${ownedRows} associated with this user will also be permanently deleted\\. This action cannot`),
    ],
  ])('speaks of %s in the singular', async (_, url, consequence) => {
    const { actor } = await open(url)
    const [first] = await rowBoxes()
    if (first) await actor.click(first)
    await askToDelete(actor)
    expect(await screen.findByRole('dialog')).toHaveAccessibleDescription(consequence)
  })

  test('promises no password, because the users may be invited', async () => {
    const { actor } = await open('/users')
    await actor.click(await pageBox())
    await actor.click(within(await bar()).getByRole('button', { name: 'Activate' }))
    expect(await screen.findByRole('dialog')).toHaveAccessibleDescription(/They can log in again\.$/)
  })

  test('cannot be given for more than 1,000 selected rows, which it says at once', async () => {
    const { actor } = await openUsers(1001)
    for (let page = 2; page <= 21; page += 1) {
      await actor.click(await pageBox())
      await actor.click(screen.getByRole('link', { name: 'Next page' }))
      await screen.findByText(new RegExp(`^${((page - 1) * 50 + 1).toLocaleString('en')}–`))
    }
    await actor.click(await pageBox())
    expect(await bar()).toHaveTextContent('1,001 selected.')
    await askToDelete(actor)
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveAccessibleDescription(/At most 1,000 selected users can be deleted at once\.$/)
    expect(within(dialog).getByRole('button', { name: 'Delete 1,001 users' })).toBeDisabled()
    expect(within(dialog).queryByRole('textbox')).not.toBeInTheDocument()
  })

  test('cannot be given for more than 10,000 matches, which it says at once', async () => {
    const { actor } = await openUsers(10_001)
    await actor.click(await pageBox())
    await actor.click(await screen.findByRole('button', { name: 'Select all 10,001 that match' }))
    await askToDelete(actor)
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveAccessibleDescription(/At most 10,000 users can be deleted at once\./)
    expect(within(dialog).getByRole('button', { name: 'Delete 10,001 users' })).toBeDisabled()
  })
})

test('after all rows that match, one press leaves those of the page, and the bar says so', async () => {
  const { actor } = await openUsers(60)
  await actor.click(await pageBox())
  await actor.click(await screen.findByRole('button', { name: 'Select all 60 that match' }))
  expect(await bar()).toHaveTextContent('All 60 selected.')
  const [first] = await rowBoxes()
  if (first) await actor.click(first)
  expect(await bar()).toHaveTextContent('49 selected, all on this page.')
  await actor.click(screen.getByRole('link', { name: 'Next page' }))
  await screen.findByText('51–60 of 60 users')
  expect(await bar()).toHaveTextContent('49 selected.')
})

test('the dialog about all that match closes when a request without a response has deleted them', async () => {
  const { actor, backend, router, queryClient } = await openUsers(60)
  await actor.click(await pageBox())
  await actor.click(await screen.findByRole('button', { name: 'Select all 60 that match' }))
  await askToDelete(actor)
  network.use(
    http.post('*/users/bulk', () => {
      backend.users = []
      return HttpResponse.error()
    }),
  )
  await actor.type(await screen.findByLabelText('Type 60 to confirm'), '60{Enter}')
  await screen.findByRole('heading', { name: 'No users found' })
  await waitFor(() => expect(router.state.location.href).toBe('/users'))
  backend.users = manyUsers(1)
  await act(() => queryClient.invalidateQueries())
  expect(await pageBox()).not.toBeChecked()
})
