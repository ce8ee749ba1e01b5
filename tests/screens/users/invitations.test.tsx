import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { ownedRows } from '@/lib/owned-rows'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { peopleCells } from '../../support/people-table'
import { expectRow, expectToast, listLoaded, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const link = `${window.location.origin}/accept-invitation?token=some-token`

async function open(url = '/users', prepare?: (backend: Backend) => void) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, makeUser({ email: 'grace@example.com', full_name: null, is_invited: true }))
      prepare?.(backend)
    },
  })
  await listLoaded()
  return { ...app, href: () => app.router.state.location.href }
}

async function openInvite(prepare?: (backend: Backend) => void) {
  const app = await open('/users', prepare)
  const button = screen.getByRole('button', { name: 'Invite User' })
  await app.actor.click(button)
  const dialog = await screen.findByRole('dialog', { name: 'Invite User' })
  const send = within(dialog).getByRole('button', { name: 'Send Invitation' })
  return { ...app, button, dialog, send, email: within(dialog).getByLabelText(/^Email/) }
}

describe('inviting a user', () => {
  test('sends the fields of the form; the list shows the user with the badge Invited', async () => {
    const { actor, dialog, email, send, href, button } = await openInvite()
    expect(href()).toBe('/users?invite')
    expect(send).toBeDisabled()
    await actor.type(email, 'ada@example.com')
    await actor.type(within(dialog).getByLabelText('Full Name'), 'Ada')
    await actor.click(within(dialog).getByLabelText('Is superuser?'))
    await actor.click(send)
    await expectToast('Invitation sent.', 'success')
    expect(requestsTo('POST /users/invite').map(({ body }) => body)).toEqual([
      { email: 'ada@example.com', full_name: 'Ada', is_superuser: true },
    ])
    await waitFor(() => expectRow({ 'Full Name': 'Ada', Role: 'Superuser', Status: 'Invited' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
    expect(button).toHaveFocus()
  })

  test('an empty name is sent as null; a taken email address shows a toast, and the form keeps its text', async () => {
    const { actor, email, send } = await openInvite()
    await actor.type(email, 'grace@example.com')
    await actor.click(send)
    await expectToast('A user with this email already exists', 'error')
    expect(requestsTo('POST /users/invite')[0]?.body).toEqual({
      email: 'grace@example.com',
      full_name: null,
      is_superuser: false,
    })
    expect(email).toHaveValue('grace@example.com')
  })

  const rows = () => peopleCells().map((cells) => cells.slice(1))
  const several = 'ada@example.com, ben@example.com;cleo@example.com'

  test('the dialog says that it takes several; pasted ones are shown as a table at once', async () => {
    const { actor, dialog, email, href } = await openInvite()
    expect(dialog).toHaveAccessibleDescription(/For several people, type or paste their addresses\./)
    await actor.click(email)
    await actor.paste(several)
    const invite = await within(dialog).findByRole('button', { name: 'Invite 3' })
    expect(rows()).toEqual(['ada', 'ben', 'cleo'].map((name) => ['', `${name}@example.com`, 'User', 'Will be invited']))
    await actor.click(invite)
    const list = await within(dialog).findByRole('list', { name: 'Invitations' })
    expect(Array.from(list.children, ({ textContent }) => textContent)).toEqual(
      ['ada', 'ben', 'cleo'].map((name) => `${name}@example.com Invitation sent`),
    )
    expect(dialog).toHaveTextContent('3 people invited.')
    expect(requestsTo('POST /users/invite')).toEqual([])
    expect(requestsTo('POST /users/import').at(-1)?.body).toEqual({
      rows: ['ada', 'ben', 'cleo'].map((name) => ({
        email: `${name}@example.com`,
        full_name: null,
        is_superuser: false,
      })),
    })
    expect(within(dialog).getByRole('button', { name: 'Done' })).toHaveFocus()
    await actor.keyboard('{Enter}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
  })

  test('typed ones are shown by the button or Enter, with the role of the form, and Back gives the text', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'ada@example.com, ben')
    expect(within(dialog).getByLabelText('Full Name')).toBeInTheDocument()
    await actor.type(email, '@')
    expect(within(dialog).queryByLabelText('Full Name')).not.toBeInTheDocument()
    expect(within(dialog).getByRole('button', { name: 'Review People' })).toBeEnabled()
    await actor.click(within(dialog).getByLabelText('Is superuser?'))
    await actor.type(email, '{Enter}')
    await within(dialog).findByRole('table')
    expect(rows()).toEqual([
      ['', 'ben@', 'superuser', 'Invalid email address'],
      ['', 'ada@example.com', 'Superuser', 'Will be invited'],
    ])
    await actor.click(within(dialog).getByRole('button', { name: 'Back' }))
    expect(within(dialog).getByLabelText(/^Email/)).toHaveValue('ada@example.com, ben@')
  })

  test('without a mail server all links are copied at once', async () => {
    const { actor, dialog, email, href } = await openInvite((backend) => (backend.people.hasMail = false))
    await actor.click(email)
    await actor.paste(several)
    await actor.click(await within(dialog).findByRole('button', { name: 'Invite 3' }))
    const copyAll = await within(dialog).findByRole('button', { name: 'Copy All' })
    expect(copyAll).toHaveFocus()
    await actor.keyboard('{Enter}')
    await expectToast('3 links copied.', 'success')
    expect(await navigator.clipboard.readText()).toContain(`ada@example.com\t${link}`)
    await actor.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
  })

  test('an invitation of superusers says what they become', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'ada@example.com')
    expect(dialog).not.toHaveTextContent(`all users and all ${ownedRows}`)
    await actor.click(within(dialog).getByLabelText('Is superuser?'))
    expect(dialog).toHaveTextContent(`They will see and change all users and all ${ownedRows}.`)
    await actor.type(email, ', ben@example.com')
    expect(dialog).toHaveTextContent(`All will see and change all users and all ${ownedRows}.`)
  })

  test('invalid, repeated and taken addresses say why, and the others can be invited', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.click(email)
    await actor.paste('ada@example.com, ben, ADA@example.com, grace@example.com')
    await within(dialog).findByRole('button', { name: 'Invite 1' })
    expect(rows()).toEqual([
      ['', 'ben', 'user', 'Invalid email address'],
      ['', 'ADA@example.com', 'user', 'The same address as in line 1.'],
      ['', 'ada@example.com', 'User', 'Will be invited'],
      ['', 'grace@example.com', 'User', 'Has an account'],
    ])
    expect(within(dialog).getByText('1 invitation, 1 already has an account, 2 rows are not valid')).toBeInTheDocument()
  })

  test('people are pasted with the names that mail programs copy with them', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.click(email)
    await actor.paste(
      '"Ada" <ada@example.com>, ben@example.com <ben@example.com>\n"Lovelace, Cleo" <cleo@example.com>; Hopper, Dora <dora@example.com>\n• emil@example.com.',
    )
    await within(dialog).findByRole('button', { name: 'Invite 5' })
    expect(rows().map(([name, address]) => [name, address])).toEqual([
      ['Ada', 'ada@example.com'],
      ['', 'ben@example.com'],
      ['Lovelace, Cleo', 'cleo@example.com'],
      ['Hopper, Dora', 'dora@example.com'],
      ['', 'emil@example.com'],
    ])
  })

  test('a single person is pasted into both fields', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.click(email)
    await actor.paste('Ada Lovelace <ada@example.com>')
    expect(email).toHaveValue('ada@example.com')
    expect(within(dialog).getByLabelText('Full Name')).toHaveValue('Ada Lovelace')
  })

  test.each(['mailto:ada@example.com', '•ada@example.com', 'ada@example.com.', "'ada@example.com'"])(
    'of %s, the address is pasted',
    async (pasted) => {
      const { actor, email } = await openInvite()
      await actor.click(email)
      await actor.paste(pasted)
      expect(email).toHaveValue('ada@example.com')
    },
  )

  test('a table that was closed comes back with its text by Undo', async () => {
    const { actor, email } = await openInvite()
    await actor.click(email)
    await actor.paste(several)
    await screen.findByRole('table', { name: 'People' })
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }))
    await waitFor(() => expect(dialog.getByLabelText(/^Email/)).toHaveValue(several))
  })

  test('more than 2,000 people are too many, and the text stays', async () => {
    const { actor, email } = await openInvite()
    const text = Array.from({ length: 2001 }, (_, index) => `p${index}@example.com`).join(' ')
    await actor.click(email)
    await actor.paste(text)
    await expectToast('At most 2,000 rows can be imported at once.', 'error')
    expect(email).toHaveValue(text)
  })

  test('a malformed email address shows a message on blur', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'a@b')
    await actor.tab()
    expect(await within(dialog).findByText('Invalid email address')).toBeInTheDocument()
  })

  test('without a mail server the dialog shows the link to copy', async () => {
    const { actor, dialog, email, send, href } = await openInvite((backend) => (backend.people.hasMail = false))
    expect(dialog).toHaveAccessibleDescription(/^There is no mail server\. You get a link/)
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await actor.type(email, 'ada@example.com')
    await actor.click(send)
    const field = await within(dialog).findByLabelText('Invitation link')
    expect(field).toHaveValue(link)
    expect(field).toHaveFocus()
    expect(dialog).toHaveTextContent(
      'There is no mail server. Give this link to ada@example.com yourself: it works once, for 7 days.',
    )
    expect(screen.queryByText('Invitation sent.')).not.toBeInTheDocument()
    expect(within(dialog).queryByLabelText(/^Email/)).not.toBeInTheDocument()
    await actor.click(within(dialog).getByRole('button', { name: 'Copy Link' }))
    await expectToast('Link copied.', 'success')
    expect(copied).toHaveBeenCalledWith(link)
    await actor.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
  })

  test('a link that arrives after the dialog was closed is reported', async () => {
    const { actor, email, send } = await openInvite((backend) => (backend.people.hasMail = false))
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.post('*/users/invite', () => held, { once: true }))
    await actor.type(email, 'ada@example.com')
    await actor.click(send)
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    release()
    await waitFor(() => expectRow({ Email: 'ada@example.com', Status: 'Invited' }))
    await waitFor(() =>
      expect(screen.getByRole('region', { name: /notifications/i })).toHaveTextContent(
        /The link was not shown\..*Resend Invitation gives a new one/,
      ),
    )
  })

  test('if the browser cannot copy, the link is selected', async () => {
    const { actor, dialog, email, send } = await openInvite((backend) => (backend.people.hasMail = false))
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('not allowed'))
    await actor.type(email, 'ada@example.com')
    await actor.click(send)
    const field = await within(dialog).findByLabelText<HTMLInputElement>('Invitation link')
    field.setSelectionRange(0, 0)
    await actor.click(within(dialog).getByRole('button', { name: 'Copy Link' }))
    await expectToast('Your browser does not allow this. Copy the text by hand.', 'error')
    expect(field.selectionEnd).toBe(link.length)
  })

  test('the dialog does not open in another list', async () => {
    const { router } = await renderApp({ url: '/audit?invite', user: root })
    await screen.findByRole('heading', { name: 'Audit Log' })
    expect(router.state.location.search).not.toHaveProperty('invite', '')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('inviting a user again', () => {
  async function openResend(prepare?: (backend: Backend) => void) {
    const app = await open('/users', prepare)
    await app.actor.click(screen.getByRole('button', { name: 'Actions for grace@example.com' }))
    await app.actor.click(await screen.findByRole('menuitem', { name: 'Resend Invitation' }))
    return { ...app, dialog: await screen.findByRole('dialog', { name: 'Resend Invitation' }) }
  }

  test('is in the row menu of invited users', async () => {
    const { actor, dialog, href, backend } = await openResend()
    expect(href()).toBe(`/users?resend=${backend.users[1]?.id}`)
    expect(dialog).toHaveTextContent('grace@example.com gets a new link. The one before it stops working.')
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    await expectToast('Invitation sent.', 'success')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(screen.getByRole('button', { name: 'Actions for grace@example.com' })).toHaveFocus()
  })

  test('is sent once, even after several clicks, because a second link would end the first', async () => {
    const { dialog, backend } = await openResend()
    const button = within(dialog).getByRole('button', { name: 'Send Invitation' })
    act(() => {
      button.click()
      button.click()
    })
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(requestsTo(`POST /users/${backend.users[1]?.id}/invite`)).toHaveLength(1)
  })

  test('is not in the row menu of other users', async () => {
    const { actor } = await open('/users', (backend) => backend.users.push(makeUser({ email: 'ada@example.com' })))
    await actor.click(screen.getByRole('button', { name: 'Actions for ada@example.com' }))
    expect((await screen.findAllByRole('menuitem')).map((entry) => entry.textContent)).toEqual([
      'Edit',
      'Send Password Reset',
      'Deactivate',
      'Make Superuser',
      'Delete',
    ])
  })

  test('without a mail server the dialog shows the link', async () => {
    const { actor, dialog } = await openResend((backend) => (backend.people.hasMail = false))
    expect(dialog).toHaveTextContent('There is no mail server. You get the link, and give it to them yourself.')
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    expect(await within(dialog).findByLabelText('Invitation link')).toHaveFocus()
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  })

  test('names the role of a superuser', async () => {
    const { dialog } = await openResend((backend) => Object.assign(backend.users[1] ?? {}, { is_superuser: true }))
    expect(dialog).toHaveTextContent(`As a superuser, they see and change all users and all ${ownedRows}.`)
  })

  test('fails with a toast if the user has a password by now, and the dialog stays open', async () => {
    const { actor, dialog } = await openResend()
    network.use(http.post('*/users/:id/invite', () => refusal(409, 'This user has already set a password')))
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    await expectToast('This user has already set a password', 'error')
    expect(dialog).toBeInTheDocument()
  })
})
