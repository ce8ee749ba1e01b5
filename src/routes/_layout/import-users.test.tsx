import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeUser } from '../../../tests/support/backend'
import { requestsTo } from '../../../tests/support/network'
import { expectRow, expectToast, renderApp } from '../../../tests/support/render-app'

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
  await actor.click(dialog.getByRole('button', { name: 'Send 1 Invitation' }))
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

test('errors name the lines and block the invitations; Back keeps the text', async () => {
  const { actor, dialog, preview } = await open()
  const text = 'email,is_superuser\nada,\n\ngrace@example.com,perhaps\nalan@example.com,true'
  await preview(text)
  expect(await dialog.findByText('1 invitation, 2 rows with errors')).toBeInTheDocument()
  const errors = within(dialog.getByRole('list', { name: 'Errors' })).getAllByRole('listitem')
  expect(errors.map(({ textContent }) => textContent)).toEqual([
    'Line 2: email: Invalid email address',
    'Line 4: is_superuser: Must be true, false or empty.',
  ])
  expect(dialog.getByRole('button', { name: 'Send 1 Invitation' })).toBeDisabled()
  await actor.click(dialog.getByRole('button', { name: 'Back' }))
  expect(dialog.getByLabelText(/^File content/)).toHaveValue(text)
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

test('the preview names ignored columns and, without a mail server, says how people get their links', async () => {
  const { dialog, preview } = await open({ hasMail: false })
  await preview('Email,Superuser\nada@example.com,true')
  expect(await dialog.findByText(/^One column is ignored/)).toHaveTextContent('One column is ignored: Superuser')
  expect(await dialog.findByText(/^This server sends no mail\..* Resend Invitation/)).toBeInTheDocument()
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
