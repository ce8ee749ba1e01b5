import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { ownedRows } from '@/lib/owned-rows'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, listLoaded, renderApp, setScreenWidth } from '../../support/render-app'
import { emptyProfile } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = () => makeUser({ email: 'grace@example.com', full_name: null, is_active: false })

async function openUsers(prepare?: (backend: Backend) => void) {
  const app = await renderApp({
    url: '/users',
    user: root,
    prepare: (backend) => {
      backend.users.push(grace(), root)
      prepare?.(backend)
    },
  })
  await listLoaded()
  return app
}

async function openRowDialog(action: 'Edit' | 'Delete') {
  const app = await openUsers()
  const button = screen.getByRole('button', { name: 'Actions for grace@example.com' })
  await app.actor.click(button)
  await app.actor.click(await screen.findByRole('menuitem', { name: action }))
  const dialog = await screen.findByRole('dialog', { name: `${action} User` })
  return { ...app, button, dialog, id: app.backend.users[0]?.id ?? '' }
}

describe('/users', () => {
  test('Edit begins in the name with nothing selected, so that typing does not replace the email', async () => {
    const { actor, dialog } = await openRowDialog('Edit')
    await waitFor(() => expect(within(dialog).getByLabelText('Full Name')).toHaveFocus())
    await actor.keyboard('Grace')
    expect(within(dialog).getByLabelText('Full Name')).toHaveValue('Grace')
    expect(within(dialog).getByLabelText(/^Email/)).toHaveValue('grace@example.com')
  })

  test('SPEC 2: heading, description and table', async () => {
    await openUsers()
    expect(screen.getByRole('heading', { name: 'Users' })).toBeInTheDocument()
    expect(screen.getByText('A list of all users.')).toBeInTheDocument()
    await expectRow({ 'Full Name': 'RootYou', Email: 'root@example.com', Role: 'Superuser', Status: 'Active' })
    await expectRow({ 'Full Name': 'N/A', Email: 'grace@example.com', Role: 'User', Status: 'Inactive' })
  })

  test('SPEC 2: role and status are badges, green for Active and red for Inactive', async () => {
    await openUsers()
    const table = within(screen.getByRole('table', { name: 'Users' }))
    const badge = 'rounded-full border'
    for (const text of ['Superuser', 'User', 'Active', 'Inactive']) expect(table.getByText(text)).toHaveClass(badge)
    expect(table.getByText('Active')).toHaveClass('bg-success-tint text-success')
    expect(table.getByText('Inactive')).toHaveClass('bg-destructive-tint text-destructive')
  })

  test('shows its heading, the head of its table and grey rows while the list loads', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const { actor } = await renderApp({
      url: '/users',
      user: root,
      prepare: ({ users }) => {
        users.push(root)
        network.use(http.get('*/users/', () => held, { once: true }))
      },
    })
    const heading = await screen.findByRole('heading', { name: 'Users' })
    const table = screen.getByRole('table', { name: 'Users' })
    expect(within(table).getAllByRole('columnheader')).toHaveLength(6)
    expect(table.parentElement?.closest('[aria-busy]')).toHaveAttribute('aria-busy', 'true')
    expect(table.querySelectorAll('tbody[aria-hidden] .bg-muted')).not.toHaveLength(0)
    expect(screen.queryByRole('navigation', { name: /pages/i })).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Add User' }))
    await screen.findByRole('dialog', { name: 'Add User' })
    await actor.keyboard('{Escape}')
    release()
    await waitFor(() => expectRow({ 'Full Name': 'RootYou' }))
    expect(heading).toBeInTheDocument()
    expect(screen.getByRole('table', { name: 'Users' })).toBe(table)
    expect(table.querySelector('tbody[aria-hidden]')).not.toBeInTheDocument()
  })

  test('the link of a user without a name is called by the address, too', async () => {
    await openUsers()
    const link = screen.getByRole('link', { name: 'N/A, grace@example.com' })
    expect(link).toHaveTextContent(/^N\/A$/)
    expect(link).toHaveAttribute('title', 'grace@example.com')
    expect(screen.getByRole('link', { name: 'Root' })).toHaveAttribute('title', 'Root')
  })

  test('an email address that mixes scripts is marked', async () => {
    await openUsers((backend) => backend.users.push(makeUser({ email: 'grаce@example.com', full_name: 'Imitator' })))
    await expectRow({ 'Full Name': 'Imitator', Email: 'grаce@example.comMixed scripts' })
    expect(screen.getAllByText('Mixed scripts')).toHaveLength(1)
  })

  test('SPEC 6: the action menu of the own row is disabled', async () => {
    await openUsers()
    const button = screen.getByRole('button', { name: 'Actions for root@example.com' })
    expect(button).toBeDisabled()
    expect(button).toHaveAccessibleDescription('Your own account is changed in the settings.')
    // Browsers also dispatch pointer events on disabled buttons.
    fireEvent.pointerDown(button)
    expect(button).toHaveAttribute('data-state', 'closed')
    expect(screen.queryByRole('menu')).not.toBeInTheDocument()
  })

  test('a regular user is redirected to the dashboard, and the list is never requested', async () => {
    const { router } = await renderApp({ url: '/users', user: makeUser() })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(requestsTo('GET /users/')).toEqual([])
  })

  describe('add', () => {
    async function openAdd() {
      const app = await openUsers()
      await app.actor.click(screen.getByRole('button', { name: 'Add User' }))
      const dialog = await screen.findByRole('dialog', { name: 'Add User' })
      return {
        ...app,
        dialog,
        email: within(dialog).getByLabelText(/^Email/),
        password: within(dialog).getByLabelText(/^Password/),
        confirmation: within(dialog).getByLabelText(/^Confirm Password/),
        save: within(dialog).getByRole('button', { name: 'Save' }),
      }
    }

    test('SPEC 4: a new user is by default neither superuser nor active; the confirmation is not sent', async () => {
      const { actor, dialog, email, password, confirmation, save } = await openAdd()
      expect(save).toBeDisabled()
      await actor.type(email, 'new@example.com')
      await actor.type(password, 'a long password')
      await actor.type(confirmation, 'a long password')
      expect(save).toBeEnabled()
      expect(within(dialog).getByLabelText('Is superuser?')).not.toBeChecked()
      expect(within(dialog).getByLabelText('Is active?')).not.toBeChecked()
      await actor.click(within(dialog).getByLabelText('Is active?'))
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast('User created successfully.')
      await waitFor(() => expectRow({ 'Full Name': 'N/A', Email: 'new@example.com', Role: 'User', Status: 'Active' }))
      expect(requestsTo('POST /users/').map(({ body }) => body)).toEqual([
        {
          ...emptyProfile,
          email: 'new@example.com',
          password: 'a long password',
          is_superuser: false,
          is_active: true,
        },
      ])
    })

    test('SPEC 5: invalid fields show messages', async () => {
      const { actor, dialog, email, password, confirmation } = await openAdd()
      await actor.type(email, 'a@b')
      await actor.type(password, 'short')
      await actor.click(confirmation)
      await actor.click(within(dialog).getByLabelText('Full Name'))
      expect(await screen.findByText('Please confirm your password')).toBeInTheDocument()
      expect(screen.getByText('Invalid email address')).toBeInTheDocument()
      expect(screen.getByText('Password must be at least 8 characters')).toBeInTheDocument()
      await actor.type(confirmation, 'other')
      await actor.tab()
      expect(await screen.findByText('The passwords do not match')).toBeInTheDocument()
    })

    test('SPEC 8: a taken email address shows a toast, and the form keeps its text', async () => {
      const { actor, email, password, confirmation, save } = await openAdd()
      const { promise: held, resolve: release } = Promise.withResolvers<void>()
      network.use(http.post('*/users/', () => held.then(() => refusal(409, 'A user with this email already exists'))))
      await actor.type(email, 'root@example.com')
      await actor.type(password, 'a long password')
      await actor.type(confirmation, 'a long password')
      await actor.dblClick(save)
      release()
      await expectToast('A user with this email already exists')
      expect(email).toHaveValue('root@example.com')
      expect(requestsTo('POST /users/')).toHaveLength(1)
    })
  })

  describe('edit', () => {
    test('SPEC 5: on a wide screen Save requires a change; an empty password is not sent', async () => {
      const { actor, dialog, id } = await openRowDialog('Edit')
      const save = within(dialog).getByRole('button', { name: 'Save' })
      expect(save).toBeDisabled()
      await actor.type(within(dialog).getByLabelText('Full Name'), 'Grace Hopper')
      await actor.click(within(dialog).getByLabelText('Is active?'))
      expect(save).toBeEnabled()
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast('User updated successfully.')
      await waitFor(() => expectRow({ 'Full Name': 'Grace Hopper', Status: 'Active' }))
      expect(requestsTo(`PATCH /users/${id}`).map(({ body }) => body)).toEqual([
        { full_name: 'Grace Hopper', is_active: true },
      ])
    })

    test('SPEC 5: in the sheet of a narrow screen Save requires no change; rotating the phone keeps typed text', async () => {
      setScreenWidth(390)
      const { actor, dialog } = await openRowDialog('Edit')
      const save = within(dialog).getByRole('button', { name: 'Save' })
      expect(save).toBeEnabled()
      const name = within(dialog).getByLabelText('Full Name')
      await actor.type(name, 'Grace')
      setScreenWidth(844)
      expect(name).toHaveValue('Grace')
      expect(name).toBeInTheDocument()
      await actor.clear(name)
      expect(save).toBeDisabled()
    })

    test('SPEC 5: a new password must be long enough and confirmed, and is sent', async () => {
      const { actor, dialog, id } = await openRowDialog('Edit')
      const save = within(dialog).getByRole('button', { name: 'Save' })
      const password = within(dialog).getByLabelText(/^Password/)
      const confirmation = within(dialog).getByLabelText(/^Confirm Password/)
      await actor.type(password, 'short')
      expect(save).toBeDisabled()
      await actor.type(password, ' no more')
      await actor.type(confirmation, 'something else')
      await actor.tab()
      expect(await screen.findByText('The passwords do not match')).toBeInTheDocument()
      expect(save).toBeDisabled()
      await actor.clear(confirmation)
      await actor.type(confirmation, 'short no more')
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      expect(requestsTo(`PATCH /users/${id}`)).toMatchObject([{ body: { password: 'short no more' } }])
    })
  })

  describe('delete', () => {
    test('SPEC 1: warns that the items are deleted, too', async () => {
      const { dialog } = await openRowDialog('Delete')
      expect(dialog).toHaveAccessibleDescription(new RegExp(`All ${ownedRows}.*permanently deleted.*cannot be undone`))
    })

    test('SPEC 1: warns that it cannot be undone, with the focus on Cancel; success closes the dialog and shows a toast', async () => {
      const { actor, dialog } = await openRowDialog('Delete')
      expect(dialog).toHaveAccessibleDescription(/user will be permanently deleted.*cannot be undone/)
      expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus()
      await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast('The user was deleted successfully')
      await waitFor(() => expect(screen.queryByText('grace@example.com')).not.toBeInTheDocument())
      expect(screen.getByRole('heading', { name: 'Users' })).toHaveFocus()
    })

    test('SPEC 8: a failure shows its own message as an error, and the dialog stays open', async () => {
      const { actor, dialog } = await openRowDialog('Delete')
      network.use(http.delete('*/users/:id', () => refusal(409, 'The last active superuser')))
      await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      await expectToast('An error occurred while deleting the user', 'error')
      expect(dialog).toBeInTheDocument()
    })
  })
})
