import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { isolate } from '@/lib/text'
import { ownedRows } from '@/lib/owned-rows'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, listLoaded, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

const users = ['ada', 'ben', 'eve'].map((name) => makeUser({ email: `${name}@example.com`, full_name: name }))

const manyUsers = (count: number) =>
  Array.from({ length: count }, (_, index) => makeUser({ email: `u${index}@example.com`, full_name: null }))

const bulkBodies = () => requestsTo('POST /users/bulk').map(({ body }) => body)

async function openUsers(url = '/users', others = users) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => backend.users.push(root, ...others.map((user) => ({ ...user }))),
  })
  await listLoaded()
  const changesTo = (id = '') => requestsTo(`PATCH /users/${id}`).map(({ body }) => body)
  return { ...app, changesTo }
}

describe('the menu of a row', () => {
  test.each([
    ['Deactivate', /^“.*ada@example.com.*”.*logged out everywhere/, { is_active: false }, /deactivated/],
    [
      'Make Superuser',
      new RegExp(`^“.*ada@example.com.*”.*all users and all ${ownedRows}`),
      { is_superuser: true },
      /is a superuser now/,
    ],
  ])(
    '%s asks first, explains the consequences, and names the user in a toast',
    async (action, consequence, body, said) => {
      const { actor, changesTo, router } = await openUsers()
      await actor.click(screen.getByRole('button', { name: 'Actions for ada@example.com' }))
      await actor.click(await screen.findByRole('menuitem', { name: action }))
      const dialog = await screen.findByRole('dialog', { name: action })
      expect(dialog).toHaveAccessibleDescription(consequence)
      await actor.click(within(dialog).getByRole('button', { name: action }))
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      const toasts = screen.getByRole('region', { name: /notifications/i })
      expect(within(toasts).getByText(said)).toHaveTextContent('ada@example.com')
      expect(changesTo(users[0]?.id)).toEqual([body])
      expect(router.state.location.href).toBe('/users')
    },
  )

  test('has the tooltip of an icon', async () => {
    const { actor } = await openUsers()
    await actor.hover(screen.getByRole('button', { name: 'Actions for ada@example.com' }))
    expect(await screen.findByRole('tooltip')).toHaveTextContent('Actions')
  })

  test('Activate names the role of a superuser', async () => {
    const bob = makeUser({ email: 'bob@example.com', is_active: false, is_superuser: true })
    await openUsers(`/users?activate=${bob.id}`, [bob])
    const dialog = await screen.findByRole('dialog', { name: 'Activate' })
    expect(dialog).toHaveAccessibleDescription(
      new RegExp(`As a superuser, they see and change all users and all ${ownedRows}\\.`),
    )
  })

  test('offers only changes that the row does not have yet', async () => {
    const { actor, backend, queryClient } = await openUsers()
    Object.assign(backend.users[1] ?? {}, { is_active: false, is_superuser: true })
    await queryClient.invalidateQueries()
    await waitFor(() => expectRow({ 'Full Name': 'ada', Status: 'Inactive' }))
    await actor.click(screen.getByRole('button', { name: 'Actions for ada@example.com' }))
    await screen.findByRole('menuitem', { name: 'Edit' })
    expect(screen.getAllByRole('menuitem').map((entry) => entry.textContent)).toEqual([
      'Edit',
      'Activate',
      'Remove Superuser',
      'Delete',
    ])
  })

  test('a change is sent once, even after several clicks', async () => {
    const { changesTo } = await openUsers(`/users?deactivate=${users[0]?.id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate' })
    const button = within(dialog).getByRole('button', { name: 'Deactivate' })
    act(() => {
      button.click()
      button.click()
    })
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(changesTo(users[0]?.id)).toHaveLength(1)
  })

  test('Edit shows the change at once, although the menu had prefetched the user', async () => {
    const { actor } = await openUsers()
    const menu = () => screen.getByRole('button', { name: 'Actions for ada@example.com' })
    await actor.click(menu())
    await actor.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate' })
    await actor.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await actor.click(menu())
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    const form = await screen.findByRole('dialog', { name: 'Edit User' })
    expect(within(form).getByLabelText('Is active?')).not.toBeChecked()
  })

  test('a rejection shows a toast, and the dialog stays open', async () => {
    const { actor } = await openUsers(`/users`)
    network.use(http.patch('*/users/:id', () => refusal(409, 'The last active superuser cannot be changed')))
    await actor.click(screen.getByRole('button', { name: 'Actions for ada@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog')
    await actor.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
    await expectToast('The last active superuser cannot be changed', 'error')
    expect(dialog).toBeInTheDocument()
    expect(requestsTo(`PATCH /users/${users[0]?.id}`)).toHaveLength(1)
  })
})

describe('selected rows', () => {
  async function select(...names: string[]) {
    const app = await openUsers()
    for (const name of names) await app.actor.click(screen.getByRole('checkbox', { name }))
    return { ...app, bar: await screen.findByRole('region', { name: 'Selected users' }) }
  }

  test('have boxes from the first moment; they are deactivated with one request, and one toast shows the total', async () => {
    const { actor, bar } = await select('Select ada@example.com', 'Select eve@example.com')
    expect(bar).toHaveTextContent('2 selected.')
    await actor.click(within(bar).getByRole('button', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate 2 users' })
    expect(dialog).toHaveAccessibleDescription(/^“ada@example.com” “eve@example.com” They are logged out/)
    await actor.click(within(dialog).getByRole('button', { name: 'Deactivate 2 users' }))
    await expectToast('2 users deactivated.', 'success')
    expect(bulkBodies()).toEqual([{ action: 'deactivate', ids: [users[0]?.id, users[2]?.id] }])
    await waitFor(() => expect(bar).not.toBeInTheDocument())
    await waitFor(() => expectRow({ 'Full Name': 'eve', Status: 'Inactive' }))
    expect(screen.getByRole('checkbox', { name: 'Select eve@example.com' })).not.toBeChecked()
  })

  test('Undo activates exactly those that were deactivated, also of all that match', async () => {
    const many = manyUsers(60).map((user, index) => ({ ...user, is_active: index !== 3 }))
    const { actor } = await openUsers('/users?q=u', many)
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Select all 60 that match' }))
    await actor.click(screen.getByRole('button', { name: 'Deactivate' }))
    await actor.type(await screen.findByLabelText('Type 60 to confirm'), '60{Enter}')
    await expectToast('59 users deactivated. 1 user was inactive already.', 'success')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(screen.getByRole('button', { name: 'Undo' }))
    await expectToast('59 users activated.', 'success')
    const ids = many.filter((_, index) => index !== 3).map(({ id }) => id)
    expect(bulkBodies().slice(1)).toEqual([
      {
        action: 'activate',
        ids: expect.toSatisfy((sent: string[]) => sent.toSorted().join() === ids.toSorted().join()),
      },
    ])
    await expectRow({ Email: many[0]?.email ?? '', Status: 'Active' })
    await expectRow({ Email: many[3]?.email ?? '', Status: 'Inactive' })
  })

  test('there is no Undo of what the server does not name', async () => {
    const { actor, bar } = await select('Select ada@example.com')
    network.use(http.post('*/users/bulk', () => HttpResponse.json({ changed: 1, unchanged: 0, refused: [] })))
    await actor.click(within(bar).getByRole('button', { name: 'Deactivate' }))
    await actor.click(await screen.findByRole('button', { name: 'Deactivate 1 user' }))
    await expectToast('1 user deactivated.', 'success')
    expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
  })

  test('a toast shows how many were rejected, and why', async () => {
    const { actor, bar } = await select('Select all on this page')
    const refused = [{ id: users[1]?.id, detail: 'The last active superuser cannot be changed' }]
    network.use(http.post('*/users/bulk', () => HttpResponse.json({ changed: 2, unchanged: 0, refused })))
    await actor.click(within(bar).getByRole('button', { name: 'Deactivate' }))
    await actor.click(await screen.findByRole('button', { name: 'Deactivate 3 users' }))
    await expectToast('2 users deactivated.', 'error')
    await expectToast(`${isolate('ben@example.com')} could not be changed: ${refused[0]?.detail}.`, 'error')
    expect(bulkBodies()).toHaveLength(1)
  })

  const inactive = [
    makeUser({ email: 'ida@example.com', is_active: false, is_superuser: true }),
    makeUser({ email: 'jim@example.com', is_active: false }),
    makeUser({ email: 'kay@example.com', is_active: false, is_superuser: true }),
  ]
  const among = `Superusers among them, who see and change all users and all ${ownedRows}:`

  test('that are activated are named if they are superusers', async () => {
    const { actor } = await openUsers('/users', inactive)
    for (const name of ['ida', 'jim'])
      await actor.click(screen.getByRole('checkbox', { name: `Select ${name}@example.com` }))
    await actor.click(await screen.findByRole('button', { name: 'Activate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Activate 2 users' })
    await waitFor(() => expect(dialog).toHaveTextContent(`${among} ida@example.com`))
    expect(dialog).not.toHaveTextContent('kay@example.com')
    await actor.click(within(dialog).getByRole('button', { name: 'Activate 2 users' }))
    await expectToast('2 users activated.', 'success')
  })

  test('that match are named if they are superusers and would be activated', async () => {
    const { actor } = await openUsers('/users', inactive)
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Select all 4 that match' }))
    await actor.click(screen.getByRole('button', { name: 'Activate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Activate 4 users' })
    await waitFor(() => expect(dialog).toHaveTextContent(`${among} ida@example.com, kay@example.com`))
  })

  test('may be superusers if the server does not say', async () => {
    const { actor } = await openUsers('/users', inactive)
    await actor.click(screen.getByRole('checkbox', { name: 'Select ida@example.com' }))
    network.use(http.get('*/users/', () => refusal(500, 'Something broke')))
    await actor.click(await screen.findByRole('button', { name: 'Activate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Activate 1 user' })
    await waitFor(() => expect(dialog).toHaveTextContent('Superusers may be among them'))
    expect(within(dialog).getByRole('button', { name: 'Activate 1 user' })).not.toHaveAttribute('aria-busy')
  })

  test('stay selected, and the opener keeps the focus, when another dialog is open as a late response arrives', async () => {
    const { actor, bar } = await select('Select ada@example.com', 'Select eve@example.com')
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(within(bar).getByRole('button', { name: 'Deactivate' }))
    const confirm = await screen.findByRole('button', { name: 'Deactivate 2 users' })
    network.use(http.post('*/users/bulk', () => held))
    await actor.click(confirm)
    await actor.keyboard('{Escape}')
    await noDialog()
    const activate = within(bar).getByRole('button', { name: 'Activate' })
    await actor.click(activate)
    await screen.findByRole('dialog', { name: 'Activate 2 users' })
    release()
    await expectToast('2 users deactivated.', 'success')
    await actor.keyboard('{Escape}')
    await noDialog()
    expect(screen.getByRole('region', { name: 'Selected users' })).toHaveTextContent('2 selected.')
    expect(activate).toHaveFocus()
  })

  test('never include the own account; Clear and Escape clear them', async () => {
    const { actor, bar } = await select('Select all on this page')
    const own = screen.getByRole('checkbox', { name: 'Select root@example.com' })
    expect(own).toBeDisabled()
    expect(own).not.toBeChecked()
    expect(bar).toHaveTextContent('3 selected.')
    await actor.click(within(bar).getByRole('button', { name: 'Clear' }))
    expect(bar).not.toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
    await actor.click(screen.getByRole('checkbox', { name: 'Select ada@example.com' }))
    await screen.findByRole('region', { name: 'Selected users' })
    await actor.keyboard('{Escape}')
    expect(screen.queryByRole('region', { name: 'Selected users' })).not.toBeInTheDocument()
    expect(bulkBodies()).toEqual([])
  })

  test('Shift selects a range, also downwards from another row', async () => {
    const { actor, bar } = await select('Select eve@example.com')
    await actor.keyboard('{Shift>}')
    await actor.click(screen.getByRole('checkbox', { name: 'Select ada@example.com' }))
    await actor.keyboard('{/Shift}')
    expect(bar).toHaveTextContent('3 selected.')
    expect(screen.getByRole('checkbox', { name: 'Select ben@example.com' })).toBeChecked()
  })

  test('live over pages and are cleared by other filters; all that match are changed by their filter', async () => {
    const many = manyUsers(60)
    const { actor, router } = await openUsers('/users?q=u', many)
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    const bar = await screen.findByRole('region', { name: 'Selected users' })
    expect(bar).toHaveTextContent('50 selected.')
    await actor.click(screen.getByRole('link', { name: 'Next page' }))
    await actor.click(await screen.findByRole('checkbox', { name: `Select ${many[55]?.email}` }))
    expect(bar).toHaveTextContent('51 selected.')
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await waitFor(() => expect(bar).toHaveTextContent('60 selected.'))
    await actor.click(screen.getByRole('link', { name: 'Previous page' }))
    expect(await screen.findByRole('checkbox', { name: `Select ${many[0]?.email}` })).toBeChecked()

    await act(() => router.navigate({ to: '/users', search: { q: 'example' } }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected users' })).not.toBeInTheDocument())
    await act(() => router.navigate({ to: '/users', search: { q: 'u' } }))
    await screen.findByText('1–50 of 60 users')
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Select all 60 that match' }))
    expect(screen.getByText('All 60 selected.')).toBeInTheDocument()
    expect(screen.getByRole('checkbox', { name: 'All on this page' })).toHaveFocus()
    await actor.click(screen.getByRole('button', { name: 'Deactivate' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Deactivate 60 users' }))
    expect(dialog.getByText(/All 60 users that match the filters/)).toBeInTheDocument()
    await actor.click(dialog.getByRole('button', { name: 'Deactivate 60 users' }))
    expect(dialog.getByRole('alert')).toHaveTextContent('The number must be 60.')
    const number = dialog.getByLabelText('Type 60 to confirm')
    expect(number).toHaveFocus()
    await actor.type(number, '60{Enter}')
    await expectToast('60 users deactivated.', 'success')
    expect(bulkBodies()).toEqual([{ action: 'deactivate', filter: { q: 'u' }, count: 60 }])
  })

  test('the own account stays as it is when all that match are changed, which is no failure', async () => {
    const { actor } = await openUsers()
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Select all 4 that match' }))
    await actor.click(screen.getByRole('button', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate 4 users' })
    expect(dialog).toHaveAccessibleDescription(/Your own account is not changed/)
    await actor.click(within(dialog).getByRole('button', { name: 'Deactivate 4 users' }))
    await expectToast('3 users deactivated.', 'success')
  })

  test('are not changed if the list has changed: the dialog asks again with the new number', async () => {
    const many = manyUsers(60)
    const { actor, backend } = await openUsers('/users?q=u', many)
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Select all 60 that match' }))
    await actor.click(screen.getByRole('button', { name: 'More actions on the selected users' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await actor.type(await screen.findByLabelText('Type 60 to confirm'), '60')
    backend.users = backend.users.filter(({ id }) => id !== many[59]?.id)
    await actor.click(screen.getByRole('button', { name: 'Delete 60 users' }))
    await expectToast('The list has changed: 59 users match now', 'error')
    const number = await screen.findByLabelText('Type 59 to confirm')
    await actor.clear(number)
    await actor.type(number, '59{Enter}')
    await expectToast('59 users were deleted.', 'success')
    expect(bulkBodies().map((body) => (body as { count: number }).count)).toEqual([60, 59])
  })

  test('more than ten: the dialog names the first ten and the number of the others', async () => {
    const many = manyUsers(12)
    const { actor } = await openUsers('/users', many)
    await actor.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
    await actor.click(await screen.findByRole('button', { name: 'Deactivate' }))
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate 12 users' })
    const names = many.slice(0, 10).map(({ email }) => `“${email}”`)
    expect(dialog).toHaveAccessibleDescription(new RegExp(`^${names.join(' ')} and 2 more They are logged out`))
  })

  test('are forgotten by a reload, which closes the dialog', async () => {
    const { router } = await openUsers('/users?bulk=deactivate')
    await waitFor(() => expect(router.state.location.href).toBe('/users'))
  })
})
