import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { makeUser } from '../../support/backend'
import { transferOf, unreadableFile } from '../../support/files'
import { network, requestsTo } from '../../support/network'
import { peopleCells } from '../../support/people-table'
import { expectRow, expectToast, renderApp, roundTrip } from '../../support/render-app'

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
    const field = dialog.getByLabelText(/^File content/)
    await app.actor.clear(field)
    await app.actor.click(field)
    await app.actor.paste(text)
    await app.actor.click(dialog.getByRole('button', { name: 'Preview' }))
  }
  return { ...app, dialog, preview }
}

const bodies = () => requestsTo('POST /users/import').map(({ body }) => body as { rows: unknown[]; dry_run?: boolean })

test('shows what would happen to each, and invites nobody before that is confirmed', async () => {
  const { actor, dialog, preview } = await open()
  await preview('full_name;email\nAda;ada@example.com\nRoot;root@example.com')
  expect(await dialog.findByText('1 invitation, 1 already has an account')).toBeInTheDocument()
  expect(peopleCells()).toEqual([
    ['2', 'Ada', 'ada@example.com', 'User', 'Will be invited'],
    ['3', 'Root', 'root@example.com', 'User', 'Has an account'],
  ])
  expect(dialog.getByRole('button', { name: 'Back' })).toHaveFocus()
  expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true])
  await actor.click(dialog.getByRole('button', { name: 'Invite 1' }))
  const list = await dialog.findByRole('list', { name: 'Invitations' })
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Root root@example.com Has an account.', 'Ada ada@example.com Invitation sent'])
  expect(bodies()[1]).toEqual({ rows: [{ email: 'ada@example.com', full_name: 'Ada', is_superuser: false }] })
  await actor.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expectRow({ 'Full Name': 'Ada', Status: 'Invited' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
})

const wrongText = 'email,is_superuser\nada,\n\ngrace@example.com,perhaps\nalan@example.com,\nben@example.com,'

test('wrong rows are above the others with open fields, and are corrected, accepted or taken out in place', async () => {
  const { actor, dialog, preview } = await open()
  await preview(wrongText)
  expect(await dialog.findByText('2 invitations, 2 rows are not valid')).toBeInTheDocument()
  expect(peopleCells()).toEqual([
    ['2', '', 'ada', 'user', 'Invalid email address'],
    ['4', '', 'grace@example.com', 'user', 'Must be true, false or empty. is_superuser: “perhaps”'],
    ['5', '', 'alan@example.com', 'User', 'Will be invited'],
    ['6', '', 'ben@example.com', 'User', 'Will be invited'],
  ])
  const address = dialog.getByLabelText('Email, line 2')
  expect(address).toHaveAccessibleDescription('Invalid email address')
  await actor.clear(address)
  await actor.type(address, ' root@example.com ')
  await actor.tab()
  // The dialog asks the server again after each correction.
  await waitFor(() => expect(peopleCells()[0]).toEqual(['2', '', 'root@example.com', 'user', 'Has an account']))
  await actor.clear(address)
  await actor.type(address, 'Alan@example.com')
  await actor.tab()
  await waitFor(() => expect(peopleCells()[2]?.[4]).toBe('The same address as in line 2.'))
  await actor.click(dialog.getByRole('button', { name: 'Remove Alan@example.com' }))
  expect(dialog.getByRole('button', { name: 'Remove grace@example.com' })).toHaveFocus()
  await actor.click(dialog.getByRole('button', { name: 'Accept grace@example.com' }))
  await actor.click(dialog.getByRole('button', { name: 'Edit ben@example.com' }))
  const name = dialog.getByLabelText('Full name, line 6')
  expect(name).toHaveFocus()
  await actor.type(name, 'Ben')
  await actor.selectOptions(dialog.getByLabelText('Role, line 4'), 'Superuser')
  expect(await dialog.findByText('3 invitations, 1 of them to a superuser')).toBeInTheDocument()
  await actor.type(dialog.getByLabelText('Type 1 to confirm'), '1')
  await actor.click(dialog.getByRole('button', { name: 'Invite 3' }))
  await dialog.findByRole('list', { name: 'Invitations' })
  expect(bodies().at(-1)?.rows).toEqual([
    { email: 'grace@example.com', full_name: null, is_superuser: true },
    { email: 'alan@example.com', full_name: null, is_superuser: false },
    { email: 'ben@example.com', full_name: 'Ben', is_superuser: false },
  ])
})

test('a row says while it is typed whether it is valid; Enter asks the server and keeps the focus', async () => {
  const { actor, dialog, preview } = await open()
  await preview('email\nben@example.com\nada')
  const address = await dialog.findByLabelText('Email, line 3')
  const says = () => peopleCells()[0]?.[4]
  await actor.type(address, '@example.co')
  await waitFor(() => expect(says()).toBe('Will be invited'))
  expect(dialog.getByText('2 invitations')).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Invite 2' })).toBeEnabled()
  await actor.clear(address)
  await waitFor(() => expect(says()).toBe('Email is required'))
  await actor.type(address, 'ben@example.com')
  await waitFor(() => expect(says()).toBe('The same address as in line 2.'))
  await actor.clear(address)
  await actor.type(address, ' root@example.com ')
  await waitFor(() => expect(says()).toBe('Will be invited'))
  expect(bodies()).toHaveLength(1)
  await actor.keyboard('{Enter}')
  await waitFor(() => expect(says()).toBe('Has an account'))
  expect(bodies().at(-1)).toMatchObject({ rows: [{ email: 'root@example.com' }], dry_run: true })
  expect(address).toHaveFocus()
  expect(address).toHaveValue('root@example.com')
  await actor.keyboard('{Enter}')
  await actor.tab()
  expect(bodies()).toHaveLength(2)
})

test('two corrections at once keep what the server says of both, whichever is answered first', async () => {
  const { actor, dialog, preview } = await open()
  await preview('email\nada\ngrace\nben@example.com')
  await dialog.findByLabelText('Email, line 2')
  const answers = new Map<string, () => void>()
  network.use(
    http.post('*/users/import', async ({ request }) => {
      const { rows } = (await request.json()) as { rows: { email: string }[] }
      const existing = rows.map(({ email }) => email)
      await new Promise<void>((resolve) => void answers.set(existing.join(','), resolve))
      return HttpResponse.json({ invited: 0, existing, errors: [], links: [] })
    }),
  )
  await actor.type(dialog.getByLabelText('Email, line 2'), '@example.com{Enter}')
  await actor.type(dialog.getByLabelText('Email, line 3'), '@example.com{Enter}')
  await waitFor(() => expect(answers.size).toBe(2))
  const outcomes = () => peopleCells().map(([line, , , , outcome]) => `${line} ${outcome}`)
  for (const address of ['grace@example.com', 'ada@example.com']) {
    answers.get(address)?.()
    await roundTrip()
  }
  await waitFor(() =>
    expect(outcomes().toSorted()).toEqual(['2 Has an account', '3 Has an account', '4 Will be invited']),
  )
})

test('Back leads to the first wrong line of the text, and corrections stay', async () => {
  const { actor, dialog, preview } = await open()
  await preview(wrongText)
  await actor.click(await dialog.findByRole('button', { name: 'Remove ben@example.com' }))
  expect(dialog.getByText('1 row taken out.')).toBeInTheDocument()
  await actor.click(dialog.getByRole('button', { name: 'Back' }))
  const field = dialog.getByLabelText<HTMLTextAreaElement>(/^File content/)
  expect(field).toHaveValue(wrongText)
  expect(field).toHaveFocus()
  expect(field.value.slice(field.selectionStart, field.selectionEnd)).toBe('ada,')
  await actor.keyboard('ada@example.com,')
  await actor.click(dialog.getByRole('button', { name: 'Preview' }))
  expect(await dialog.findByText('2 invitations, 1 row is not valid')).toBeInTheDocument()
  expect(peopleCells().map(([line]) => line)).toEqual(['4', '2', '5'])
  await actor.click(dialog.getByRole('button', { name: 'Put Back' }))
  expect(dialog.getByText('3 invitations, 1 row is not valid')).toBeInTheDocument()
})

test('the valid rows are invited; the others stay, and can be corrected afterwards', async () => {
  const { actor, dialog, preview } = await open()
  await preview(wrongText)
  const refused = { row: 2, field: 'email', detail: 'Too many invitations to this address, please try again later' }
  const invite = await dialog.findByRole('button', { name: 'Invite 2' })
  network.use(
    http.post('*/users/import', () => HttpResponse.json({ invited: 0, existing: [], errors: [refused], links: null }), {
      once: true,
    }),
  )
  await actor.click(invite)
  expect(await dialog.findByText('1 invitation, 3 rows are not valid')).toBeInTheDocument()
  expect(dialog.getByLabelText('Email, line 6')).toHaveValue('ben@example.com')
  await actor.click(dialog.getByRole('button', { name: 'Invite 1' }))
  const list = within(await dialog.findByRole('list', { name: 'Invitations' }))
  expect(list.getAllByRole('listitem')[0]).toHaveTextContent('ada Invalid email address')
  await actor.click(dialog.getByRole('button', { name: 'Correct 3' }))
  expect(await dialog.findByText('0 invitations, 1 already has an account, 3 rows are not valid')).toBeInTheDocument()
  const address = dialog.getByLabelText('Email, line 2')
  expect(address).toHaveValue('ada')
  await actor.type(address, '@example.com')
  await actor.tab()
  await actor.click(await dialog.findByRole('button', { name: 'Invite 1' }))
  await dialog.findByRole('list', { name: 'Invitations' })
  expect(bodies().at(-1)).toEqual({ rows: [{ email: 'ada@example.com', full_name: null, is_superuser: false }] })
})

test('superusers stand out, and their number must be typed', async () => {
  const { actor, dialog, preview } = await open()
  const rows = Array.from(
    { length: 60 },
    (_, index) => `p${index}@example.com,Person ${index},${index === 44 || index === 50}`,
  )
  await preview(['email,full_name,is_superuser', ...rows, 'root@example.com,,true', 'wrong,,true'].join('\n'))
  expect(
    await dialog.findByText('60 invitations, 2 of them to superusers, 1 already has an account, 1 row is not valid'),
  ).toBeInTheDocument()
  // Invalid rows come first.
  expect(
    peopleCells()
      .slice(1, 4)
      .map(([line, , , role]) => [line, role]),
  ).toEqual([
    ['46', 'Superuser'],
    ['52', 'Superuser'],
    ['62', 'Superuser'],
  ])
  const number = dialog.getByLabelText('Type 2 to confirm')
  const invite = dialog.getByRole('button', { name: 'Invite 60' })
  await actor.click(invite)
  expect(number).toHaveFocus()
  expect(number).toHaveAccessibleDescription('The number must be 2.')
  await actor.type(number, '60{Enter}')
  expect(bodies().map(({ dry_run }) => dry_run)).toEqual([true])
  await actor.clear(number)
  await actor.type(number, '2{Enter}')
  await dialog.findByRole('list', { name: 'Invitations' })
  expect(bodies()).toHaveLength(2)
})

test('Ctrl+Enter in the text asks for the preview, if there is a text', async () => {
  const { actor, dialog } = await open()
  const text = dialog.getByLabelText(/^File content/)
  await actor.click(text)
  await actor.keyboard('{Control>}{Enter}{/Control}')
  expect(bodies()).toEqual([])
  await actor.paste('ada@example.com')
  await actor.keyboard('{Control>}{Enter}{/Control}')
  expect(await dialog.findByText('1 invitation')).toBeInTheDocument()
  expect(bodies()).toHaveLength(1)
})

test('a list of addresses needs no heading', async () => {
  const { dialog, preview } = await open()
  await preview('Ada Lovelace <ada@example.com>,\nben@example.com')
  await dialog.findByText('2 invitations')
  expect(peopleCells()).toEqual([
    ['1', 'Ada Lovelace', 'ada@example.com', 'User', 'Will be invited'],
    ['2', '', 'ben@example.com', 'User', 'Will be invited'],
  ])
  expect(dialog.queryByLabelText('Columns')).not.toBeInTheDocument()
})

test('a file is shown at once; text without addresses is refused beside it', async () => {
  const { actor, dialog, preview } = await open()
  await actor.upload(dialog.getByLabelText('CSV file'), new File([], 'a.csv', { type: 'text/csv' }))
  await expectToast('The file is empty.', 'error')
  await actor.upload(
    dialog.getByLabelText('CSV file'),
    new File(['email\nada@example.com'], 'a.csv', { type: 'text/csv' }),
  )
  await dialog.findByText('1 invitation')
  await actor.click(dialog.getByRole('button', { name: 'Back' }))
  const field = dialog.getByLabelText(/^File content/)
  expect(field).toHaveValue('email\nada@example.com')
  await preview('name\nAda')
  await waitFor(() => expect(field).toHaveAccessibleDescription(/one of them “email”/))
  expect(field).toHaveFocus()
  expect(field).toHaveValue('name\nAda')
  expect(bodies()).toHaveLength(1)
  await actor.type(field, '!')
  await waitFor(() => expect(field).toHaveAccessibleDescription(''))
  await actor.clear(field)
  await waitFor(() => expect(field).toHaveAccessibleDescription('File content is required'))
})

test('a file of Excel in Western Europe is read, and the preview asks to check it', async () => {
  const { actor, dialog } = await open()
  const latin = Uint8Array.from('full_name,email\nRen\u00E9,rene@example.com', (sign) => sign.charCodeAt(0))
  await actor.upload(dialog.getByLabelText('CSV file'), new File([latin], 'a.csv', { type: 'text/csv' }))
  await dialog.findByText('1 invitation')
  expect(peopleCells()).toEqual([['2', 'René', 'rene@example.com', 'User', 'Will be invited']])
  const note = /^The file is not UTF-8, and was read as Windows-1252/
  expect(dialog.getByText(note)).toBeVisible()
  await actor.click(dialog.getByRole('button', { name: 'Back' }))
  expect(dialog.getByText(note)).toBeVisible()
})

test('a file that is dropped on the dialog is read, and one beside it opens nothing', async () => {
  const { dialog } = await open()
  const people = new File(['email\nada@example.com'], 'people.csv')
  const box = screen.getByRole('dialog')
  expect(fireEvent.dragOver(box, { dataTransfer: transferOf(people) })).toBe(false)
  expect(fireEvent.drop(box, { dataTransfer: transferOf(new File([], 'Docs'), true) })).toBe(false)
  await expectToast('“\u2068Docs\u2069” is a folder. Choose a file.', 'error')
  expect(fireEvent.drop(document.body, { dataTransfer: transferOf(people) })).toBe(false)
  expect(dialog.getByLabelText(/^File content/)).toHaveValue('')
  fireEvent.drop(box, { dataTransfer: transferOf(people) })
  await dialog.findByText('1 invitation')
  const other = new File(['email\nben@example.com'], 'people.csv')
  expect(fireEvent.drop(box, { dataTransfer: transferOf(other) })).toBe(false)
  expect(peopleCells()).toEqual([['2', '', 'ada@example.com', 'User', 'Will be invited']])
})

test.each([
  ['NotFoundError', 'is no longer there. It was moved, renamed or deleted.'],
  ['NotReadableError', 'cannot be read. It was changed since you chose it, or another program has it open.'],
] as const)('a file that cannot be read (%s) is named', async (name, reason) => {
  const { actor, dialog } = await open()
  await actor.upload(dialog.getByLabelText('CSV file'), unreadableFile('people.csv', name))
  await expectToast(`“\u2068people.csv\u2069” ${reason}`, 'error')
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
  expect(await app.dialog.findByText(/^There is no mail server\. You get the links here/)).toBeInTheDocument()
  return app
}

test('without a mail server all links are copied at once or downloaded', async () => {
  const text = 'email,full_name\nada@example.com,"=HYPERLINK(""x""), Ada"\nben@example.com,\nroot@example.com,'
  const { actor, dialog } = await importWithoutMail(text)
  await actor.click(dialog.getByRole('button', { name: 'Invite 2' }))
  expect(
    await dialog.findByText(
      /^2 people invited, 1 not\. There is no mail server\. Give each person their link yourself/,
    ),
  ).toBeInTheDocument()
  expect(screen.queryByText(/invitations? sent/)).not.toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Copy All' })).toHaveFocus()
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
  await actor.click(dialog.getByRole('button', { name: 'Copy All' }))
  await expectToast('2 links copied.', 'success')
  expect(await navigator.clipboard.readText()).toBe(`ada@example.com\t${links[0]}\nben@example.com\t${links[1]}`)
  await actor.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Undo' })).not.toBeInTheDocument()
})

test('names those who have an account by then', async () => {
  const { actor, dialog, backend } = await importWithoutMail('email\nada@example.com\nben@example.com')
  backend.users.push(makeUser({ email: 'ada@example.com' }))
  await actor.click(dialog.getByRole('button', { name: 'Invite 2' }))
  const list = await dialog.findByRole('list', { name: 'Invitations' })
  expect(dialog.getByText(/^1 person invited, 1 not\./)).toBeInTheDocument()
  expect(within(list).getAllByRole('listitem')[0]).toHaveTextContent('ada@example.com Has an account by now')
})

test('a link is shown with the person whom it invites, even if a row was removed meanwhile', async () => {
  const { actor, dialog } = await importWithoutMail('email\nada@example.com\nben@example.com')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  network.use(http.post('*/users/import', () => held, { once: true }))
  await actor.click(dialog.getByRole('button', { name: 'Invite 2' }))
  await actor.click(dialog.getByRole('button', { name: 'Remove ada@example.com' }))
  release()
  await dialog.findByRole('list', { name: 'Invitations' })
  for (const email of ['ada@example.com', 'ben@example.com'])
    expect(dialog.getByLabelText(`Invitation link for ${email}`)).toHaveValue(
      `${window.location.origin}/accept-invitation?token=some-token-${email}`,
    )
})

test('a dialog that is closed before the links are there says that they were not shown', async () => {
  const { actor, dialog } = await importWithoutMail('email\nada@example.com\nben@example.com')
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  network.use(http.post('*/users/import', () => held, { once: true }))
  await actor.click(dialog.getByRole('button', { name: 'Invite 2' }))
  await actor.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  release()
  await expectToast('The links were not shown.', 'error')
})

test('a table that is closed by Escape can be brought back with its text', async () => {
  const { actor, dialog, preview } = await open()
  await preview('email\nada@example.com\nben@')
  await actor.type(await dialog.findByLabelText('Email, line 3'), 'example.com')
  await actor.keyboard('{Escape}')
  await actor.click(await screen.findByRole('button', { name: 'Undo' }))
  const again = within(await screen.findByRole('dialog', { name: 'Import CSV' }))
  expect(again.getByLabelText(/^File content/)).toHaveValue('email\nada@example.com\nben@')
})
