import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { type Backend, leaveOutCapabilities, makeUser, refusal } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { expectRow, expectToast, renderApp } from '../../../tests/support/render-app'

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
  await screen.findByRole('table', { name: 'Users' })
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

  const chips = () =>
    Array.from(screen.queryByRole('list', { name: 'Addresses' })?.children ?? [], ({ textContent }) => textContent)
  const several = 'ada@example.com, ben@example.com;cleo@example.com'

  test('several typed or pasted addresses become chips, which keys and pointers remove', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'ada@example.com, ben')
    expect(chips()).toEqual([])
    await actor.type(email, '@example.com ')
    expect(chips()).toEqual(['ada@example.com', 'ben@example.com'])
    expect(within(dialog).queryByLabelText('Full Name')).not.toBeInTheDocument()
    await actor.click(email)
    await actor.paste('cleo@example.com\r\ndora@example.com\n')
    expect(chips()).toEqual(['ada@example.com', 'ben@example.com', 'cleo@example.com', 'dora@example.com'])
    expect(email).toHaveValue('')
    await actor.click(within(dialog).getByRole('button', { name: 'Remove ben@example.com' }))
    expect(chips()).toEqual(['ada@example.com', 'cleo@example.com', 'dora@example.com'])
    expect(email).toHaveFocus()
    act(() => within(dialog).getByRole('button', { name: 'Remove ada@example.com' }).focus())
    await actor.keyboard('{Delete}')
    expect(chips()).toEqual(['cleo@example.com', 'dora@example.com'])
    await actor.keyboard('{Backspace}')
    expect(chips()).toEqual([])
    expect(email).toHaveValue('cleo@example.com')
    expect(email).toHaveFocus()
  })

  test('several people are invited with one role, and a list says so', async () => {
    const { actor, dialog, email, send, href } = await openInvite()
    await actor.click(email)
    await actor.paste(several)
    await actor.click(within(dialog).getByLabelText('Is superuser?'))
    await actor.click(send)
    const list = await within(dialog).findByRole('list', { name: 'Invitations' })
    expect(Array.from(list.children, ({ textContent }) => textContent)).toEqual(
      ['ada', 'ben', 'cleo'].map((name) => `${name}@example.com SuperuserInvitation sent`),
    )
    expect(dialog).toHaveTextContent('3 people invited.')
    expect(requestsTo('POST /users/invite').map(({ body }) => body)).toEqual(
      ['ada', 'ben', 'cleo'].map((name) => ({ email: `${name}@example.com`, is_superuser: true })),
    )
    expect(within(dialog).getByRole('button', { name: 'Done' })).toHaveFocus()
    await actor.keyboard('{Enter}')
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
  })

  test('without a mail server each of several people has a link to copy', async () => {
    const { actor, dialog, email, send } = await openInvite((backend) => (backend.people.hasMail = false))
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await actor.click(email)
    await actor.paste(several)
    await actor.click(send)
    await actor.click(await within(dialog).findByRole('button', { name: 'Copy the link for ben@example.com' }))
    await expectToast('Link copied.', 'success')
    expect(copied).toHaveBeenCalledWith(link)
    expect(within(dialog).getAllByRole('textbox')).toHaveLength(3)
  })

  test('the links of several people stay until they are copied or saved', async () => {
    const { actor, dialog, email, send, href } = await openInvite((backend) => (backend.people.hasMail = false))
    await actor.click(email)
    await actor.paste(several)
    await actor.click(send)
    const copyAll = await within(dialog).findByRole('button', { name: 'Copy All' })
    expect(copyAll).toHaveFocus()
    expect(dialog).toHaveTextContent('3 people invited. There is no mail server: hand them their links.')
    const done = within(dialog).getByRole('button', { name: 'Done' })
    expect(done).toBeDisabled()
    await actor.keyboard('{Escape}')
    await expectToast('Save the links first.', 'error')
    await actor.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(dialog).toHaveAttribute('data-state', 'open')
    await actor.click(copyAll)
    await expectToast('3 links copied.', 'success')
    expect(await navigator.clipboard.readText()).toBe(
      ['ada', 'ben', 'cleo'].map((name) => `${name}@example.com\t${link}`).join('\n'),
    )
    await actor.click(done)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(href()).toBe('/users')
  })

  test('an invitation of superusers says what they become', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'ada@example.com')
    expect(dialog).not.toHaveTextContent(/all users and all items/)
    await actor.click(within(dialog).getByLabelText('Is superuser?'))
    expect(dialog).toHaveTextContent('They will see and change all users and all items.')
    await actor.type(email, ', ben@example.com')
    expect(dialog).toHaveTextContent('All 2 will see and change all users and all items.')
  })

  test('invalid, repeated and taken addresses say why, Send says what to do, and nobody is invited', async () => {
    const { actor, email, send } = await openInvite()
    await actor.click(email)
    await actor.paste('ada@example.com, ben@, ADA@example.com, grace@example.com')
    expect(chips()).toEqual([
      'ada@example.com',
      'ben@Invalid email address',
      'ADA@example.comGiven twice',
      'grace@example.com',
    ])
    expect(send).toBeEnabled()
    await actor.click(send)
    await waitFor(() => expect(email).toHaveAccessibleDescription('Correct or remove 2 addresses.'))
    expect(requestsTo('POST /users/import')).toEqual([])
    await actor.click(screen.getByRole('button', { name: 'Remove ben@' }))
    await actor.click(screen.getByRole('button', { name: 'Remove ADA@example.com' }))
    await actor.click(send)
    await waitFor(() => expect(email).toHaveAccessibleDescription('Correct or remove one address.'))
    expect(chips()).toEqual(['ada@example.com', 'grace@example.comAlready has an account'])
    expect(email).toHaveFocus()
    expect(requestsTo('POST /users/invite')).toEqual([])
  })

  test.each([
    ['a malformed one', 'ben@', 'ben@Invalid email address'],
    ['one with an account', 'grace@example.com', 'grace@example.comAlready has an account'],
  ])('the last address says why it is refused, also if it is only typed: %s', async (_, last, chip) => {
    const { actor, email, send } = await openInvite()
    await actor.type(email, `ada@example.com, cleo@example.com, ${last}`)
    await actor.click(send)
    await waitFor(() => expect(email).toHaveAccessibleDescription('Correct or remove one address.'))
    expect(chips()).toEqual(['ada@example.com', 'cleo@example.com', chip])
    expect(email).toHaveValue('')
    expect(requestsTo('POST /users/invite')).toEqual([])
  })

  test('people are pasted with the names that mail programs copy with them, and invited with these', async () => {
    const { actor, email, send } = await openInvite()
    await actor.click(email)
    await actor.paste('"Ada" <ada@example.com>, ben@example.com <ben@example.com>')
    expect(chips()).toEqual(['Ada ada@example.com', 'ben@example.com'])
    await actor.paste('"Lovelace, Cleo" <cleo@example.com>; Hopper, Dora <dora@example.com>\n• emil@example.com.')
    expect(chips().slice(2)).toEqual([
      'Lovelace, Cleo cleo@example.com',
      'Hopper, Dora dora@example.com',
      'emil@example.com',
    ])
    await actor.click(send)
    await screen.findByRole('list', { name: 'Invitations' })
    expect(requestsTo('POST /users/invite').map(({ body }) => body)).toEqual([
      { email: 'ada@example.com', full_name: 'Ada', is_superuser: false },
      { email: 'ben@example.com', is_superuser: false },
      { email: 'cleo@example.com', full_name: 'Lovelace, Cleo', is_superuser: false },
      { email: 'dora@example.com', full_name: 'Hopper, Dora', is_superuser: false },
      { email: 'emil@example.com', is_superuser: false },
    ])
  })

  test('the name of a single person has a field, and stays with its address among several', async () => {
    const { actor, dialog, email } = await openInvite()
    const name = () => within(dialog).getByLabelText('Full Name')
    await actor.click(email)
    await actor.paste('Ada Lovelace <ada@example.com>')
    expect(email).toHaveValue('ada@example.com')
    expect(name()).toHaveValue('Ada Lovelace')
    await actor.type(email, ', Ben Diaz <ben@example.com>')
    expect(chips()).toEqual(['Ada Lovelace ada@example.com', 'Ben Diaz ben@example.com'])
    await actor.click(within(dialog).getByRole('button', { name: 'Remove ada@example.com' }))
    expect(email).toHaveValue('ben@example.com')
    expect(name()).toHaveValue('Ben Diaz')
    await actor.type(email, ' cleo@example.com ')
    await actor.click(within(dialog).getByRole('button', { name: 'Remove ben@example.com' }))
    expect(email).toHaveValue('cleo@example.com')
    expect(name()).toHaveValue('')
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

  test('more text than 50 people need is not read', async () => {
    const { actor, email } = await openInvite()
    await actor.type(email, 'ada@example.com')
    await actor.paste(' ben@example.com'.repeat(5000))
    await expectToast('At most 50 people at a time.', 'error')
    expect(email).toHaveValue('ada@example.com')
  })

  test('the first wrong address of a long list is scrolled into view', async () => {
    const { actor, dialog, email, send } = await openInvite()
    const shown = vi.spyOn(Element.prototype, 'scrollIntoView')
    await actor.click(email)
    await actor.paste('ada@example.com, grace@example.com, ben@example.com')
    await actor.click(send)
    await waitFor(() => expect(email).toHaveAccessibleDescription('Correct or remove one address.'))
    const wrong = within(dialog).getByText('grace@example.com').closest('li')
    await waitFor(() => expect(shown.mock.contexts).toContain(wrong))
  })

  test('several addresses that Undo brings back leave the focus in the field', async () => {
    const { actor, email } = await openInvite()
    await actor.click(email)
    await actor.paste(several)
    await actor.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    await actor.click(await screen.findByRole('button', { name: 'Undo' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Invite User' }))
    await waitFor(() => expect(chips()).toHaveLength(3))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument())
    expect(dialog.getByLabelText(/^Email/)).toHaveFocus()
  })

  test('more than 50 addresses are too many', async () => {
    const { actor, email, send } = await openInvite()
    await actor.click(email)
    await actor.paste(Array.from({ length: 53 }, (_, index) => `p${index}@example.com`).join(' '))
    await actor.click(send)
    await waitFor(() => expect(email).toHaveAccessibleDescription('At most 50 people at a time: remove 3.'))
  })

  test('a malformed email address shows a message on blur', async () => {
    const { actor, dialog, email } = await openInvite()
    await actor.type(email, 'a@b')
    await actor.tab()
    expect(await within(dialog).findByText('Invalid email address')).toBeInTheDocument()
  })

  test('without a mail server the dialog stays open and shows the link to copy', async () => {
    const { actor, dialog, email, send, href } = await openInvite((backend) => (backend.people.hasMail = false))
    const copied = vi.spyOn(navigator.clipboard, 'writeText')
    await actor.type(email, 'ada@example.com')
    await actor.click(send)
    const field = await within(dialog).findByLabelText('Invitation link')
    expect(field).toHaveValue(link)
    expect(field).toHaveFocus()
    expect(dialog).toHaveTextContent('This server sends no mail. Give this link to ada@example.com yourself')
    expect(screen.queryByText('Invitation sent.')).not.toBeInTheDocument()
    expect(within(dialog).queryByLabelText(/^Email/)).not.toBeInTheDocument()
    expect(within(dialog).getByRole('button', { name: 'Done' })).toBeDisabled()
    await actor.keyboard('{Escape}')
    await expectToast('Save the link first.', 'error')
    expect(dialog).toHaveAttribute('data-state', 'open')
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
        /The link for .*ada@example\.com.* was not shown.*Resend Invitation gives a new one/,
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

  test('a back end without invitations: the button is not shown', async () => {
    await open('/users', leaveOutCapabilities)
    expect(screen.getByRole('button', { name: 'Add User' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Invite User' })).not.toBeInTheDocument()
  })

  test('the dialog does not open in another list', async () => {
    const { router } = await renderApp({ url: '/items?invite', user: root })
    await screen.findByRole('heading', { name: 'Items' })
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
    expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual([
      'Edit',
      'Send Password Reset',
      'Deactivate',
      'Make Superuser',
      'Delete',
    ])
  })

  test('without a mail server the dialog stays open and shows the link', async () => {
    const { actor, dialog } = await openResend((backend) => (backend.people.hasMail = false))
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    expect(await within(dialog).findByLabelText('Invitation link')).toHaveFocus()
    await actor.keyboard('{Escape}')
    await expectToast('Save the link first.', 'error')
    expect(dialog).toHaveAttribute('data-state', 'open')
  })

  test('names the role of a superuser', async () => {
    const { dialog } = await openResend((backend) => Object.assign(backend.users[1] ?? {}, { is_superuser: true }))
    expect(dialog).toHaveTextContent('As a superuser, they see and change all users and all items.')
  })

  test('fails with a toast if the user has a password by now, and the dialog stays open', async () => {
    const { actor, dialog } = await openResend()
    network.use(http.post('*/users/:id/invite', () => refusal(409, 'This user has already set a password')))
    await actor.click(within(dialog).getByRole('button', { name: 'Send Invitation' }))
    await expectToast('This user has already set a password', 'error')
    expect(dialog).toBeInTheDocument()
  })
})
