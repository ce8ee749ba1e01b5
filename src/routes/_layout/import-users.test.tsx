import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { makeUser } from '../../../tests/support/backend'
import { network, requestsTo } from '../../../tests/support/network'
import { expectRow, expectToast, renderApp, roundTrip } from '../../../tests/support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })

async function open({ hasMail = true } = {}) {
  const app = await renderApp({
    url: '/users',
    user: root,
    prepare: ({ users, people }) => {
      users.push(root)
      people.hasMail = hasMail
    },
  })
  const opener = await screen.findByRole('button', { name: 'Import CSV' })
  await app.actor.click(opener)
  const dialog = within(await screen.findByRole('dialog', { name: 'Import CSV' }))
  const preview = async (text: string) => {
    await app.actor.clear(dialog.getByLabelText(/^File content/))
    await app.actor.click(dialog.getByLabelText(/^File content/))
    await app.actor.paste(text)
    await app.actor.click(dialog.getByRole('button', { name: 'Preview' }))
  }
  return { ...app, dialog, preview }
}

const bodies = () => requestsTo('POST /users/import').map(({ body }) => body as { rows: unknown[]; dry_run?: boolean })

test('shows what would happen, and invites nobody before that is confirmed', async () => {
  const { actor, dialog, preview } = await open()
  await preview('full_name;email\nAda;ada@example.com\nRoot;root@example.com')
  expect(await dialog.findByText('1 invitation, 1 already has an account')).toBeInTheDocument()
  expect(
    within(dialog.getByRole('list', { name: 'Already have an account' })).getByText(root.email),
  ).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Back' })).toHaveFocus()
  expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true])
  await actor.click(dialog.getByRole('button', { name: 'Invite 1 Person' }))
  await expectToast('1 invitation sent.', 'success')
  expect(bodies()[1]).toEqual({
    rows: [
      { email: 'ada@example.com', full_name: 'Ada', is_superuser: false },
      { email: 'root@example.com', full_name: 'Root', is_superuser: false },
    ],
  })
  await waitFor(() => expectRow({ 'Full Name': 'Ada', Status: 'Invited' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

const wrongText = 'email,is_superuser\nada,\n\ngrace@example.com,perhaps\nalan@example.com,\nben@example.com,'

test('errors are a table of line, value and reason; Back leads to the first of them in the text', async () => {
  const { actor, dialog, preview } = await open()
  await preview(wrongText)
  expect(await dialog.findByText('2 invitations, 2 rows with errors')).toBeInTheDocument()
  const table = within(dialog.getByRole('table', { name: 'Rows with errors' }))
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Line', 'Value', 'Reason'])
  const rows = table.getAllByRole('row').slice(1)
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    ),
  ).toEqual([
    ['2', 'emailada', 'Invalid email address'],
    ['4', 'is_superuserperhaps', 'Must be true, false or empty.'],
  ])
  await actor.click(dialog.getByRole('button', { name: 'Back' }))
  const field = dialog.getByLabelText<HTMLTextAreaElement>(/^File content/)
  expect(field).toHaveValue(wrongText)
  expect(field).toHaveFocus()
  const selected = () => field.value.slice(field.selectionStart, field.selectionEnd)
  expect(selected()).toBe('ada,')
  await actor.click(dialog.getByRole('button', { name: 'Preview' }))
  await actor.click(await dialog.findByRole('button', { name: 'Correct line 4' }))
  expect(dialog.getByLabelText(/^File content/)).toHaveFocus()
  const again = dialog.getByLabelText<HTMLTextAreaElement>(/^File content/)
  expect(again.value.slice(again.selectionStart, again.selectionEnd)).toBe('grace@example.com,perhaps')
})

test('the other rows can be invited, and rows that are refused meanwhile join those with errors', async () => {
  const { actor, dialog, preview } = await open()
  await preview(wrongText)
  const invite = await dialog.findByRole('button', { name: 'Invite the 2 others' })
  const refused = { row: 2, field: 'email', detail: 'Too many invitations to this address, please try again later' }
  network.use(
    http.post('*/users/import', () => HttpResponse.json({ invited: 0, existing: [], errors: [refused], links: null }), {
      once: true,
    }),
  )
  await actor.click(invite)
  expect(await dialog.findByText('1 invitation, 3 rows with errors')).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Correct line 6' })).toBeInTheDocument()
  await actor.click(dialog.getByRole('button', { name: 'Invite the other' }))
  await expectToast('1 invitation sent.', 'success')
  expect(bodies().at(-1)).toEqual({ rows: [{ email: 'alan@example.com', full_name: null, is_superuser: false }] })
})

test('superusers are named, and their number must be typed', async () => {
  const { actor, dialog, preview } = await open()
  const rows = Array.from(
    { length: 60 },
    (_, index) => `p${index}@example.com,Person ${index},${index === 44 || index === 50}`,
  )
  await preview(['email,full_name,is_superuser', ...rows, 'root@example.com,,true', 'wrong,,true'].join('\n'))
  expect(
    await dialog.findByText('60 invitations, 2 of them to superusers, 1 already has an account, 1 row with errors'),
  ).toBeInTheDocument()
  const named = within(dialog.getByRole('list', { name: 'New superusers' })).getAllByRole('listitem')
  expect(named.map(({ textContent }) => textContent)).toEqual([
    'Person 44, p44@example.com line 46',
    'Person 50, p50@example.com line 52',
  ])
  const number = dialog.getByLabelText('Type 2 to confirm')
  const invite = dialog.getByRole('button', { name: 'Invite the 60 others' })
  await actor.click(invite)
  expect(number).toHaveFocus()
  expect(number).toHaveAccessibleDescription('This is not 2.')
  await actor.type(number, '60{Enter}')
  expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true])
  await actor.clear(number)
  await actor.type(number, '2{Enter}')
  await expectToast('60 invitations sent.', 'success')
  expect(bodies()).toHaveLength(2)
})

test('a file fills the field; text without addresses is refused beside it', async () => {
  const { actor, dialog, preview } = await open()
  await actor.upload(dialog.getByLabelText('CSV file'), new File([], 'a.csv', { type: 'text/csv' }))
  await expectToast('The file is empty.', 'error')
  await actor.upload(
    dialog.getByLabelText('CSV file'),
    new File(['email\nada@example.com'], 'a.csv', { type: 'text/csv' }),
  )
  const field = dialog.getByLabelText(/^File content/)
  await waitFor(() => expect(field).toHaveValue('email\nada@example.com'))
  await preview('name\nAda')
  await waitFor(() => expect(field).toHaveAccessibleDescription(/one of them “email”/))
  expect(field).toHaveFocus()
  expect(field).toHaveValue('name\nAda')
  expect(bodies()).toEqual([])
  await actor.type(field, '!')
  await waitFor(() => expect(field).toHaveAccessibleDescription(''))
  await actor.clear(field)
  await waitFor(() => expect(field).toHaveAccessibleDescription('File content is required'))
})

test('the preview says which columns became what, and which are ignored', async () => {
  const { dialog, preview } = await open()
  await preview('Email,Superuser\nada@example.com,true')
  const columns = await dialog.findByLabelText('Columns')
  expect(Array.from(columns.children, ({ textContent }) => textContent)).toEqual([
    'Email',
    'from Email',
    'Ignored',
    'Superuser',
  ])
})

async function importWithoutMail(text: string) {
  const app = await open({ hasMail: false })
  await app.preview(text)
  expect(await app.dialog.findByText(/^There is no mail server: the links are shown here/)).toBeInTheDocument()
  return app
}

test('without a mail server all links are copied at once or downloaded, and kept until then', async () => {
  const text = 'email,full_name\nada@example.com,"=HYPERLINK(""x""), Ada"\nben@example.com,\nroot@example.com,'
  const { actor, dialog, router } = await importWithoutMail(text)
  await actor.click(dialog.getByRole('button', { name: 'Invite 2 People' }))
  expect(
    await dialog.findByText(/^2 people invited\. There is no mail server: hand them their links/),
  ).toBeInTheDocument()
  expect(screen.queryByText(/invitations? sent/)).not.toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Copy All' })).toHaveFocus()
  const done = dialog.getByRole('button', { name: 'Done' })
  expect(done).toBeDisabled()

  await actor.keyboard('{Escape}')
  await expectToast('Save the links first.', 'error')
  await actor.click(dialog.getByRole('button', { name: 'Close' }))
  act(() => void router.navigate({ to: '/items' }))
  await roundTrip()
  expect(router.state.location.href).toBe('/users?import')
  expect(screen.getByRole('dialog')).toHaveAttribute('data-state', 'open')

  const links = ['ada', 'ben'].map(
    (name) => `${window.location.origin}/accept-invitation?token=some-token-${name}@example.com`,
  )
  const files: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  await actor.click(dialog.getByRole('button', { name: 'Download Links' }))
  expect(await files[0]?.text()).toBe(
    `email,full_name,link\r\nada@example.com,"'=HYPERLINK(""x""), Ada",${links[0]}\r\nben@example.com,,${links[1]}\r\n`,
  )
  expect(done).toBeEnabled()
  await actor.click(dialog.getByRole('checkbox', { name: 'I have saved these links' }))
  expect(done).toBeDisabled()
  await actor.click(dialog.getByRole('button', { name: 'Copy All' }))
  await expectToast('2 links copied.', 'success')
  expect(await navigator.clipboard.readText()).toBe(`ada@example.com\t${links[0]}\nben@example.com\t${links[1]}`)
  await actor.click(done)
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('a dialog that waits for links stays open, and names those who have an account by then', async () => {
  const { actor, dialog, backend } = await importWithoutMail('email\nada@example.com\nben@example.com')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  network.use(http.post('*/users/import', () => held, { once: true }))
  await actor.click(dialog.getByRole('button', { name: 'Invite 2 People' }))
  await actor.keyboard('{Escape}')
  await expectToast('Wait for the links.', 'error')
  backend.users.push(makeUser({ email: 'ada@example.com' }))
  release()
  const list = await dialog.findByRole('list', { name: 'Invitations' })
  expect(dialog.getByText(/^1 person invited, 1 not\./)).toBeInTheDocument()
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent(
    'ada@example.com Not invited: Has an account by now',
  )
})

test('a preview that is closed by Escape can be brought back with its text', async () => {
  const { actor, dialog, preview } = await open()
  await preview('email\nada@example.com')
  await dialog.findByText('1 invitation')
  await actor.keyboard('{Escape}')
  await actor.click(await screen.findByRole('button', { name: 'Undo' }))
  const again = within(await screen.findByRole('dialog', { name: 'Import CSV' }))
  expect(again.getByLabelText(/^File content/)).toHaveValue('email\nada@example.com')
})
