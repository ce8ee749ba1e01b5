import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp, setScreenWidth } from '../../support/render-app'
import { message } from '../../support/responses'

const user = makeUser({ is_superuser: true })
const notFresh = 'Please confirm that it is you'

/** Saves a user, for which the server wants a confirmation. */
async function save({ times = 1 } = {}) {
  const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
  const { id } = grace
  const app = await renderApp({ url: `/users?edit=${id}`, user, prepare: ({ users }) => void users.push(grace) })
  network.use(
    ...Array.from({ length: times }, () => http.patch('*/users/:id', () => refusal(423, notFresh), { once: true })),
    http.post('*/users/me/confirm', async ({ request }) => {
      const { password } = (await request.json()) as { password: string }
      return password === 'correct horse' ? message('Confirmed') : refusal(400, 'Incorrect password')
    }),
  )
  const edit = await screen.findByRole('dialog', { name: 'Edit User' })
  const name = within(edit).getByLabelText('Full Name')
  await app.actor.type(name, ' Hopper')
  await app.actor.click(within(edit).getByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  const password = within(dialog).getByLabelText(/^Password/)
  return { ...app, id, edit, name, dialog, password }
}

describe('a change that needs a recent confirmation', () => {
  test('is made after the password was given, with what was typed', async () => {
    const { actor, id, edit, dialog, password } = await save()
    await waitFor(() => expect(password).toHaveFocus())
    await actor.type(password, 'wrong horse{Enter}')
    expect(await within(dialog).findByText('Incorrect password')).toHaveAttribute('role', 'alert')
    await waitFor(() => expect(password).toHaveFocus())
    await actor.clear(password)
    await actor.type(password, 'correct horse{Enter}')
    await expectToast('User updated successfully.', 'success')
    await waitFor(() => expect(edit).not.toBeInTheDocument())
    expect(dialog).not.toBeInTheDocument()
    const bodies = requestsTo(`PATCH /users/${id}`).map(({ body }) => body)
    const body = { full_name: 'Grace Hopper' }
    expect(bodies).toEqual([body, body])
  })

  test.each(['Cancel', 'Close', 'Escape'])('is not made after %s; the dialog below stays', async (way) => {
    const { actor, id, edit, name, dialog } = await save()
    if (way === 'Escape') await actor.keyboard('{Escape}')
    else await actor.click(within(dialog).getByRole('button', { name: way }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(edit).toHaveAttribute('data-state', 'open')
    expect(name).toHaveValue('Grace Hopper')
    const button = within(edit).getByRole('button', { name: 'Save' })
    await waitFor(() => expect(button).toHaveFocus())
    expect(button).not.toHaveAttribute('aria-busy')
    expect(screen.queryByText(notFresh)).not.toBeInTheDocument()
    expect(requestsTo(`PATCH /users/${id}`)).toHaveLength(1)
    await actor.click(button)
    await expectToast('User updated successfully.', 'success')
  })

  test('is repeated once', async () => {
    const { actor, id, edit, dialog, password } = await save({ times: 2 })
    await actor.type(password, 'correct horse{Enter}')
    await expectToast(notFresh, 'error')
    expect(dialog).not.toBeInTheDocument()
    expect(edit).toBeInTheDocument()
    expect(requestsTo(`PATCH /users/${id}`)).toHaveLength(2)
  })

  test('whose repetition does not reach the server says so', async () => {
    const { actor, edit, name, dialog, password } = await save()
    network.use(http.patch('*/users/:id', () => HttpResponse.error()))
    await actor.type(password, 'correct horse{Enter}')
    await expectToast('Something went wrong.', 'error')
    expect(screen.getByText('The server cannot be reached.')).toBeInTheDocument()
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(edit).toHaveAttribute('data-state', 'open')
    expect(name).toHaveValue('Grace Hopper')
  })

  test('of a session that ends meanwhile keeps what was typed as a draft', async () => {
    const { actor, dialog, password, router } = await save()
    network.use(http.post('*/users/me/confirm', () => refusal(401, 'Could not validate credentials')))
    await actor.type(password, 'correct horse{Enter}')
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(dialog).not.toBeInTheDocument()
    const draft = sessionStorage.getItem('draft') ?? ''
    expect(draft).toContain('Grace Hopper')
    expect(draft).not.toContain('correct horse')
  })

  test('asks in a sheet on a phone, without a passkey on a server that has none', async () => {
    setScreenWidth(390)
    const { dialog } = await save()
    const names = within(dialog).getAllByRole('button')
    expect(names.map((button) => button.textContent)).toEqual(['', 'Cancel', 'Confirm', ''])
    expect(requestsTo('GET /users/me/passkeys')).toEqual([])
  })
})
