import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { makeUser } from '../../support/backend'
import { fillInput } from '../../support/fill-input'
import { requestsTo } from '../../support/network'
import { profileFields } from '../../support/samples'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const superuser = makeUser({ email: 'root@example.com', is_superuser: true })
const body = Object.fromEntries(profileFields.map(({ name, full }) => [name, full]))

async function fillIn({ actor }: Awaited<ReturnType<typeof renderApp>>, place: HTMLElement): Promise<void> {
  for (const { label, text } of profileFields) {
    await fillInput(actor, await within(place).findByLabelText(label), text)
  }
  await actor.click(within(place).getByRole('button', { name: 'Save' }))
  await expectToast('User updated successfully.', 'success')
}

test('people change each field of their own account', async () => {
  const user = makeUser()
  const app = await renderApp({ url: '/settings', user })
  await fillIn(app, await screen.findByRole('tabpanel'))
  expect(requestsTo('PATCH /users/me').map((request) => request.body)).toEqual([body])
})

test('superusers change each field of an account, and the list and the page of the user show it', async () => {
  const user = makeUser({ email: 'ada@example.com' })
  const app = await renderApp({
    url: `/users?edit=${user.id}`,
    user: superuser,
    prepare: (backend) => void backend.users.push(user, superuser),
  })
  await fillIn(app, await screen.findByRole('dialog', { name: 'Edit User' }))
  expect(requestsTo(`PATCH /users/${user.id}`).map((request) => request.body)).toEqual([body])
  // The columns of further fields are chosen.
  await expectRow({ 'Full Name': 'Quick full_name' })
  await app.actor.click(screen.getByRole('link', { name: 'Quick full_name' }))
  expect(await screen.findByRole('heading', { name: 'Quick full_name' })).toBeInTheDocument()
  // The name is the heading.
  for (const { label, shown } of profileFields.filter(({ name }) => name !== 'full_name'))
    expect(screen.getByText(label, { selector: 'dt' }).nextElementSibling).toHaveTextContent(shown)
})
