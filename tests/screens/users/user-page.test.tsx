import { act, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { message } from '../../support/responses'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { makeEntry, makeSession } from '../../support/people'
import { expectToast, renderApp } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const id = '01890000-0000-7000-8000-00000000beef'

async function open(url = `/users/${id}`, prepare?: (backend: Backend) => void) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, makeUser({ id, email: 'grace@example.com', full_name: 'Grace Hopper' }))
      for (const { table } of anyResource)
        for (const values of [{ owner_id: id }, { owner_id: id }, {}])
          backend.rowsOf(table).push(makeRow(table, values))
      backend.people.sessions[id] = [makeSession()]
      backend.people.audit = Array.from({ length: 12 }, () =>
        makeEntry({ subject: { id, email: 'grace@example.com' } }),
      )
      prepare?.(backend)
    },
  })
  return { ...app, user: app.backend.users[1], href: () => app.router.state.location.href }
}

const heading = (name = 'Grace Hopper') => screen.findByRole('heading', { level: 1, name })
const press = (name: string) => screen.findByRole('button', { name })
async function choose(actor: UserEvent, action: string): Promise<void> {
  await actor.click(await press('More actions'))
  await actor.click(await screen.findByRole('menuitem', { name: action }))
}
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling
const pageHead = () => screen.getByRole('heading', { level: 1 }).closest('[data-head]')
const crumbs = () =>
  within(screen.getByRole('navigation', { name: 'Breadcrumb' }))
    .getAllByRole('listitem')
    .map((crumb) => crumb.textContent)

describe('/users/$userId', () => {
  test('the name in the table links to it, and so does N/A', async () => {
    const { actor, href } = await open('/users', (backend) => backend.users.push(makeUser({ full_name: null })))
    expect(await screen.findByRole('link', { name: /^N\/A, / })).toHaveAttribute(
      'href',
      expect.stringMatching(/^\/users\//),
    )
    await actor.click(screen.getByRole('link', { name: 'Grace Hopper' }))
    expect(await heading()).toHaveFocus()
    expect(href()).toBe(`/users/${id}`)
    expect(screen.getByRole('link', { name: 'Users', current: 'page' })).toBeInTheDocument()
  })

  test('shows the account, the number of its rows, its sessions and its history', async () => {
    await open()
    await heading()
    expect(crumbs()).toEqual(['Dashboard', 'Users', 'grace@example.com'])
    expect(document.title).toBe('grace@example.com - Steward')
    expect(pageHead()).toHaveTextContent(/^Grace Hopper.*grace@example\.com.*User.*Active/)
    expect(fact('Created')).toHaveTextContent(/ago$/)
    expect(fact('Last Active')).toHaveTextContent('Never')
    for (const { table } of anyResource) {
      const link = await screen.findByRole('link', { name: `2 ${table}` })
      expect(link).toHaveAttribute('href', `/${table}?owner_id=${id}`)
      expect(requestsTo(`GET /${table}/`).map(({ query }) => query)).toEqual([`?owner_id=${id}&limit=1`])
    }
    const sessions = within(screen.getByRole('region', { name: 'Sessions' }))
    expect((await sessions.findAllByRole('listitem')).map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Firefox on Windows192\.0\.2\.1 · Last used .+ ago$/),
    ])
    const table = await screen.findByRole<HTMLTableElement>('table', { name: 'History' })
    expect(table.tBodies[0]?.rows).toHaveLength(10)
    expect(screen.getByRole('link', { name: 'Show all in the audit log' })).toHaveAttribute(
      'href',
      `/audit?subject_id=${id}`,
    )
  })

  test('shows what was done to the user, or what the user did', async () => {
    const { actor } = await open(undefined, (backend) => {
      backend.people.audit.push(makeEntry({ action: 'users-export', actor: { id, email: 'grace@example.com' } }))
    })
    const headings = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
    expect(await screen.findByRole('tab', { name: 'About this user', selected: true })).toBeInTheDocument()
    await screen.findByRole('table', { name: 'History' })
    expect(headings()).toEqual(['Time', 'Event', 'Who', 'From where'])
    expect(requestsTo('GET /audit/')).toHaveLength(1)
    await actor.click(screen.getByRole('tab', { name: 'By this user' }))
    const table = await screen.findByRole<HTMLTableElement>('table', { name: 'History' })
    await waitFor(() => expect(table.tBodies[0]?.rows).toHaveLength(1))
    expect(table).toHaveTextContent('Users exported')
    expect(headings()).toEqual(['Time', 'Event', 'Whom', 'From where'])
    expect(screen.getByRole('link', { name: 'Show all in the audit log' })).toHaveAttribute(
      'href',
      `/audit?actor_id=${id}`,
    )
  })

  test.each([
    `/users/${id.replace('0', '1')}`,
    '/users/me',
    '/users/x',
    '/users/export',
    '/users/%2E%2E',
    `/users/${id}0`,
  ])('%s: the not-found page inside the shell', async (url) => {
    await open(url)
    expect(await heading('Page not found')).toBeInTheDocument()
    expect(screen.getByRole('navigation', { name: 'Main' })).toBeInTheDocument()
    expect(screen.getAllByRole('main')).toHaveLength(1)
    expect(requestsTo('GET /users/export')).toEqual([])
    await waitFor(() => expect(document.title).toBe('Page not found - Steward'))
  })

  test('a regular user is redirected to the dashboard, and nothing is requested', async () => {
    const { router } = await renderApp({ url: `/users/${id}`, user: makeUser() })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(requestsTo(`GET /users/${id}`)).toEqual([])
  })

  test('an account that fails to load can be retried', async () => {
    let isRefused = true
    const read = http.get(`*/users/${id}`, () => (isRefused ? refusal(409, 'Not now') : undefined))
    const { actor } = await open(undefined, () => network.use(read))
    const again = await press('Try again')
    isRefused = false
    await actor.click(again)
    expect(await heading()).toHaveFocus()
  })

  test('Edit opens a dialog in the URL, and the page shows the saved changes', async () => {
    const { actor, href } = await open()
    const button = await press('Edit')
    await actor.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Edit User' })
    expect(dialog).toHaveAccessibleDescription(/Grace Hopper.*grace@example\.com.*Update the user details below/)
    expect(href()).toBe(`/users/${id}?edit=${id}`)
    await actor.clear(within(dialog).getByLabelText(/^Email/))
    await actor.type(within(dialog).getByLabelText(/^Email/), 'admiral@example.com')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await expectToast('User updated successfully.', 'success')
    await waitFor(() => expect(pageHead()).toHaveTextContent('admiral@example.com'))
    expect(crumbs().at(-1)).toBe('admiral@example.com')
    expect(href()).toBe(`/users/${id}`)
    expect(button).toHaveFocus()
  })

  test('one action is a button, and the menu has the others of the row', async () => {
    const { actor } = await open()
    await choose(actor, 'Deactivate')
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate' })
    await actor.click(within(dialog).getByRole('button', { name: 'Deactivate' }))
    await expectToast('\u2068grace@example.com\u2069 deactivated.', 'success')
    await waitFor(() => expect(pageHead()).toHaveTextContent('Inactive'))
    expect(await press('Activate')).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'More actions' }))
    expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual([
      'Make Superuser',
      'Delete',
    ])
  })

  test.each(anyResource)('Delete says how many $table are deleted, too', async ({ table }) => {
    const { actor } = await open()
    await choose(actor, 'Delete')
    expect(await screen.findByText(`and 2 ${table}`)).toBeInTheDocument()
    expect(screen.getByRole('dialog')).toHaveAccessibleDescription(/Grace Hopper.*grace@example\.com/)
  })

  test('after Back, the focus is on the row that was opened by a press beside its name', async () => {
    const { actor, router } = await open('/users')
    await actor.click(await screen.findByText('grace@example.com'))
    expect(await heading()).toHaveFocus()
    act(() => router.history.back())
    await heading('Users')
    await waitFor(() => expect(screen.getByRole('link', { name: 'Grace Hopper' })).toHaveFocus())
  })

  test('Delete returns to the list', async () => {
    const { actor, href } = await open()
    await choose(actor, 'Delete')
    const dialog = await screen.findByRole('dialog', { name: 'Delete User' })
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await expectToast('The user was deleted successfully', 'success')
    expect(await heading('Users')).toHaveFocus()
    expect(href()).toBe('/users')
    expect(screen.queryByRole('link', { name: 'Grace Hopper' })).not.toBeInTheDocument()
  })

  test.each(['from the list', 'by a link'])(
    'after the deletion of a user who was opened %s, Back does not show the page',
    async (how) => {
      const { actor, router, href } = await open(how === 'by a link' ? undefined : '/users?sort=email')
      if (how === 'from the list') await actor.click(await screen.findByRole('link', { name: 'Grace Hopper' }))
      await heading()
      const read = requestsTo(`GET /users/${id}`).length
      await choose(actor, 'Delete')
      await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
      await heading('Users')
      await expectToast('The user was deleted successfully', 'success')
      expect(href()).toBe('/users')
      act(() => router.history.back())
      await waitFor(() => expect(href()).toBe(how === 'by a link' ? '/users' : '/users?sort=email'))
      act(() => router.history.forward())
      act(() => router.history.forward())
      await waitFor(() => expect(href()).toBe('/users'))
      expect(screen.queryByRole('heading', { name: 'Page not found' })).not.toBeInTheDocument()
      expect(requestsTo(`GET /users/${id}`)).toHaveLength(read)
    },
  )

  test('Back to a user who was deleted from the list leads to the list', async () => {
    const { actor, router, href } = await open()
    await heading()
    await actor.click(screen.getByRole('link', { name: 'Users', current: 'page' }))
    await actor.click(await screen.findByRole('button', { name: 'Actions for grace@example.com' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await expectToast('The user was deleted successfully', 'success')
    await waitFor(() => expect(href()).toBe('/users'))
    act(() => router.history.back())
    await waitFor(() => expect(router.history.canGoBack()).toBe(false))
    expect(href()).toBe('/users')
    expect(await heading('Users')).toBeInTheDocument()
  })

  test('a late response to a deletion shows the not-found page', async () => {
    const { actor } = await open()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.delete(`*/users/${id}`, () => held, { once: true }))
    await choose(actor, 'Delete')
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    release()
    expect(await heading('Page not found')).toBeInTheDocument()
  })

  test('Back to a user who was deleted elsewhere shows the not-found page', async () => {
    const { actor, backend, router } = await open()
    await heading()
    await actor.click(screen.getByRole('link', { name: 'Audit Log' }))
    await heading('Audit Log')
    backend.users.splice(1)
    // Makes the cached data stale.
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000)
    act(() => router.history.back())
    expect(await heading('Page not found')).toBeInTheDocument()
  })

  test('a late response to a deletion does not leave another page', async () => {
    const { actor, href } = await open()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.delete(`*/users/${id}`, () => held.then(() => message('Deleted'))))
    await choose(actor, 'Delete')
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }))
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(screen.getByRole('link', { name: 'Audit Log' }))
    await heading('Audit Log')
    release()
    await expectToast('The user was deleted successfully', 'success')
    expect(href()).toBe('/audit')
  })

  test('End All Sessions asks for confirmation', async () => {
    const { actor, backend } = await open()
    await actor.click(await press('End All Sessions'))
    const dialog = await screen.findByRole('dialog', { name: 'End All Sessions' })
    expect(dialog).toHaveTextContent('grace@example.com is logged out everywhere')
    expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await actor.click(within(dialog).getByRole('button', { name: 'End All Sessions' }))
    await expectToast('All sessions were ended.', 'success')
    expect(await screen.findByText('Not logged in anywhere.')).toBeInTheDocument()
    expect(backend.people.sessions[id]).toEqual([])
    expect(screen.queryByRole('button', { name: 'End All Sessions' })).not.toBeInTheDocument()
  })

  describe('Send Password Reset', () => {
    async function openReset(prepare?: (backend: Backend) => void) {
      const app = await open(undefined, prepare)
      await app.actor.click(await press('Send Password Reset'))
      const dialog = await screen.findByRole('dialog', { name: 'Send Password Reset' })
      const confirm = (name: string) => app.actor.click(within(dialog).getByRole('button', { name }))
      return { ...app, dialog, confirm }
    }
    const sent = () => requestsTo(`POST /users/${id}/password-reset`)

    test('asks for confirmation, and says that it was mailed', async () => {
      const { dialog, confirm } = await openReset()
      expect(dialog).toHaveAccessibleDescription(
        /grace@example\.com.* is sent to this address\. The current password works/,
      )
      await confirm('Send Password Reset')
      await expectToast('Password reset sent.', 'success')
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      expect(sent()).toHaveLength(1)
    })

    test('without a mail server says so before, and gives the link to copy', async () => {
      const { dialog, confirm } = await openReset((backend) => (backend.people.hasMail = false))
      expect(dialog).toHaveAccessibleDescription(
        /There is no mail server\. You get a link.* The current password works/,
      )
      expect(within(dialog).queryByRole('button', { name: 'Send Password Reset' })).not.toBeInTheDocument()
      await confirm('Get Link')
      const field = await within(dialog).findByLabelText('Password reset link')
      expect(field).toHaveValue(`${window.location.origin}/reset-password?token=some-token`)
      expect(field).toHaveFocus()
      expect(dialog).toHaveTextContent(
        'There is no mail server. Give this link to grace@example.com yourself: it works once, for one hour.',
      )
      await confirm('Copy Link')
      await expectToast('Link copied.', 'success')
      await confirm('Done')
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      expect(sent()).toHaveLength(1)
    })

    test('a back end that returns no link: its message is shown', async () => {
      const { confirm } = await openReset()
      network.use(http.post('*/users/:id/password-reset', () => HttpResponse.json({ message: 'The mail is a file' })))
      await confirm('Send Password Reset')
      await expectToast('The mail is a file.', 'success')
    })
  })

  test('the address is copied by a press', async () => {
    const { actor } = await open()
    await actor.click(await press('Copy Address'))
    await expectToast('The address was copied.', 'success')
    expect(await navigator.clipboard.readText()).toBe('grace@example.com')
  })

  test('without a name, the address is the heading, once', async () => {
    await open(undefined, (backend) => Object.assign(backend.users[1] ?? {}, { full_name: null }))
    await heading('grace@example.com')
    expect(pageHead()?.textContent.match(/grace@example/g)).toHaveLength(1)
  })

  test('Resend Invitation is shown for invited users', async () => {
    const { actor } = await open(undefined, (backend) => Object.assign(backend.users[1] ?? {}, { is_invited: true }))
    await heading()
    expect(pageHead()).toHaveTextContent('Invited')
    await actor.click(await press('Resend Invitation'))
    const dialog = await screen.findByRole('dialog', { name: 'Resend Invitation' })
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    await expectToast('Invitation sent.', 'success')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  })

  test('the own page links to the settings and the security page', async () => {
    const { actor, router, href } = await open(`/users/${root.id}`)
    await heading('Root')
    for (const name of ['Edit', 'More actions', 'End All Sessions'])
      expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Your sessions' })).toHaveAttribute('href', '/security')
    await router.navigate({
      to: '/users/$userId',
      params: { userId: root.id },
      search: { end_sessions: root.id },
    })
    await expectToast('Your own account is changed in the settings.', 'error')
    await waitFor(() => expect(href()).toBe(`/users/${root.id}`))
    await actor.click(screen.getByRole('link', { name: 'Your settings' }))
    expect(await heading('Settings')).toHaveFocus()
  })
})

describe('the second factor of a user', () => {
  const state = { totp: true, passkeys: 2, recovery_codes_left: 7, required: true }

  test('is shown, and reset after a question that says the consequences', async () => {
    const { actor } = await open(undefined, (backend) => void (backend.factors.others[id] = state))
    const button = await press('Reset Second Factor')
    const part = screen.getByRole('region', { name: 'Two-step login' })
    const facts = () => Array.from(part.querySelectorAll('dd'), ({ textContent }) => textContent)
    await waitFor(() => expect(facts()).toHaveLength(4))
    await actor.click(button)
    expect(facts()).toEqual(['Set up', '7', '2', 'Yes'])
    const dialog = await screen.findByRole('dialog', { name: 'Reset Second Factor' })
    expect(dialog).toHaveTextContent(/all sessions end\. .*password alone .*, and to set up a new authenticator app/)
    await actor.click(within(dialog).getByRole('button', { name: 'Reset Second Factor' }))
    await expectToast('The second factor was reset.', 'success')
    await waitFor(() => expect(facts()).toEqual(['None', '—', 'None', 'No']))
    expect(screen.queryByRole('button', { name: 'Reset Second Factor' })).not.toBeInTheDocument()
    expect(requestsTo(`DELETE /users/${id}/second-factor`)).toHaveLength(1)
  })

  test('a user without one has nothing to reset', async () => {
    await open()
    const part = await screen.findByRole('region', { name: 'Two-step login' })
    await waitFor(() => expect(part).toHaveTextContent(/AppNone.*RequiredNo$/))
    expect(screen.queryByRole('button', { name: 'Reset Second Factor' })).not.toBeInTheDocument()
  })

  test('the own one is changed on the security page', async () => {
    await open(`/users/${root.id}`, (backend) => void (backend.factors.others[root.id] = state))
    expect(await screen.findByRole('link', { name: 'Your security page' })).toHaveAttribute('href', '/security')
    expect(screen.queryByRole('button', { name: 'Reset Second Factor' })).not.toBeInTheDocument()
  })
})
