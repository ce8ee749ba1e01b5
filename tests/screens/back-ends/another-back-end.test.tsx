// Another back end of the same API, FastAPI's full-stack template, gives some other responses. The application must
// also work with these.
import { screen, waitFor, within } from '@testing-library/react'
import { http, type HttpHandler, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'
import { anyResource, makeRow } from '../../support/samples'

const ada = () => makeUser()

async function expectLoggedOut() {
  expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
  expect(localStorage.getItem('access_token')).toBeNull()
}

async function openRowDialog(action: 'Edit' | 'Delete', prepare: (backend: Backend) => void) {
  const app = await renderApp({ url: '/users', user: makeUser({ is_superuser: true }), prepare })
  await app.actor.click(await screen.findByRole('button', { name: /^Actions for/ }))
  await app.actor.click(await screen.findByRole('menuitem', { name: action }))
  return { ...app, dialog: await screen.findByRole('dialog') }
}

describe('the session', () => {
  test.each([
    [403, 'Could not validate credentials'],
    [404, 'User not found'],
    [400, 'Inactive user'],
  ])('%i %s on reading the own account ends it', async (status, detail) => {
    const refused = http.get('*/users/me', () => refusal(status, detail))
    await renderApp({ url: '/', user: ada(), prepare: () => network.use(refused) })
    await expectLoggedOut()
  })

  test.each([
    [404, 'User not found'],
    [400, 'Inactive user'],
  ])('%i %s on every request during it ends it', async (status, detail) => {
    const { actor } = await renderApp({ url: '/', user: makeUser({ is_superuser: true }) })
    await screen.findByRole('heading', { name: /^Hi, / })
    network.use(http.all('*/api/v1/*', () => refusal(status, detail)))
    await actor.click(screen.getByRole('link', { name: 'Users' }))
    await expectLoggedOut()
  })

  test('404 User not found on a change during it ends it', async () => {
    const { actor } = await renderApp({ url: '/settings', user: ada() })
    const name = await screen.findByLabelText(/^Full Name/)
    network.use(http.all('*/api/v1/*', () => refusal(404, 'User not found')))
    await actor.type(name, '!{Enter}')
    await expectLoggedOut()
  })

  test('403 on a list that a superuser may no longer read ends it (SPEC 4)', async () => {
    const refused = http.get('*/users/', () => refusal(403, "The user doesn't have enough privileges"))
    const user = makeUser({ is_superuser: true })
    await renderApp({ url: '/users', user, prepare: () => network.use(refused) })
    await expectLoggedOut()
  })

  test('log-out works if the server has no such operation', async () => {
    const { actor } = await renderApp({ url: '/', user: ada() })
    network.use(http.post('*/logout', () => refusal(404, 'Not Found')))
    await actor.click(await screen.findByRole('button', { name: /Ada Lovelace/ }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Log out' }))
    await expectLoggedOut()
    await waitFor(() => expect(requestsTo('POST /logout')).toHaveLength(1))
    expect(screen.queryByText('Not Found')).not.toBeInTheDocument()
  })
})

test.each(anyResource)('$table with unknown keys and without a time are shown', async (sample) => {
  const { table, fields, searched } = sample
  const { created_at: _, ...user } = ada()
  const { created_at: _unused, ...row } = makeRow(table, { [searched[0]]: 'From elsewhere' })
  const list = { data: [{ ...row, owner: { email: 'x@example.com' } }], count: 1, next: null }
  const answers = [
    http.get('*/users/me', () => HttpResponse.json({ ...user, created_at: null, [table]: [], phone: null })),
    http.get(`*/${table}/`, () => HttpResponse.json(list)),
  ]
  await renderApp({ url: `/${table}`, user: ada(), prepare: () => network.use(...answers) })
  const labelOf = (field: string) => fields.find(({ name }) => name === field)?.label ?? ''
  const shown = await expectRow({ ID: row.id.slice(-4), [labelOf(searched[0])]: 'From elsewhere' })
  const optional = fields.filter(({ kind, isNullable }) => kind === 'text' && isNullable)
  const empty = new Set<string | undefined>(optional.map(({ label }) => label))
  for (const cell of Array.from(shown.cells).filter(({ dataset }) => empty.has(dataset['label'])))
    expect(cell).toHaveTextContent(/^(?:N\/A|—)$/)
  expect(screen.getByRole('button', { name: /Ada Lovelace/ })).toBeInTheDocument()
})

describe('users', () => {
  const taken = 'The user with this email already exists in the system.'
  const grace = (backend: Backend) => void backend.users.push(makeUser({ email: 'grace@example.com' }))

  test('400 Not enough permissions on saving shows a toast, and the dialog stays open', async () => {
    const { actor, dialog } = await openRowDialog('Edit', grace)
    network.use(http.patch('*/users/:id', () => refusal(400, 'Not enough permissions')))
    await actor.type(within(dialog).getByLabelText(/^Full Name/), '!')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await expectToast('Not enough permissions', 'error')
    expect(within(dialog).getByLabelText(/^Full Name/)).toHaveValue('Ada Lovelace!')
  })

  test('400 Not enough permissions on deleting shows the message of SPEC 8', async () => {
    const { actor, dialog } = await openRowDialog('Delete', grace)
    network.use(http.delete('*/users/:id', () => refusal(400, 'Not enough permissions')))
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await expectToast('An error occurred while deleting the user', 'error')
    expect(dialog).toBeInTheDocument()
  })

  test.each(['Edit', 'Delete'] as const)(
    '403 Not enough permissions on %s ends the session (SPEC 4)',
    async (action) => {
      const { actor, backend, dialog } = await openRowDialog(action, grace)
      network.use(http.all(`*/users/${backend.users[0]?.id}`, () => refusal(403, 'Not enough permissions')))
      if (action === 'Edit') await actor.type(within(dialog).getByLabelText(/^Full Name/), '!')
      await actor.click(within(dialog).getByRole('button', { name: action === 'Edit' ? 'Save' : 'Delete' }))
      await expectLoggedOut()
    },
  )

  test('400 on adding a user with a taken email address shows a toast, and the dialog stays open', async () => {
    const { actor } = await renderApp({ url: '/users', user: makeUser({ is_superuser: true }) })
    network.use(http.post('*/users/', () => refusal(400, taken)))
    await actor.click(await screen.findByRole('button', { name: 'Add User' }))
    const dialog = await screen.findByRole('dialog')
    await actor.type(within(dialog).getByLabelText(/^Email/), 'grace@example.com')
    await actor.type(within(dialog).getByLabelText(/^Password/), 'a long password')
    await actor.type(within(dialog).getByLabelText(/^Confirm Password/), 'a long password')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await expectToast(taken, 'error')
    expect(within(dialog).getByLabelText(/^Email/)).toHaveValue('grace@example.com')
  })

  test('404 on editing a deleted user shows a message in the dialog, and the user stays logged in', async () => {
    const gone = 'The user with this id does not exist in the system'
    const { actor, dialog } = await openRowDialog('Edit', grace)
    network.use(http.patch('*/users/:id', () => refusal(404, gone)))
    await actor.type(within(dialog).getByLabelText(/^Full Name/), '!')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    expect(await within(dialog).findByText(/deleted/)).toBeInTheDocument()
    expect(localStorage.getItem('access_token')).not.toBeNull()
  })
})

describe('the own account', () => {
  test('409 on a taken email address shows a toast, and the form keeps its text', async () => {
    const { actor } = await renderApp({ url: '/settings', user: ada() })
    network.use(http.patch('*/users/me', () => refusal(409, 'User with this email already exists')))
    const email = await screen.findByLabelText(/^Email/)
    await actor.clear(email)
    await actor.type(email, 'grace@example.com')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectToast('User with this email already exists', 'error')
    expect(email).toHaveValue('grace@example.com')
  })

  test('a 500 with text instead of JSON shows a generic toast', async () => {
    const { actor } = await renderApp({ url: '/settings', user: ada() })
    network.use(http.patch('*/users/me', () => new HttpResponse('Internal Server Error', { status: 500 })))
    await actor.type(await screen.findByLabelText(/^Full Name/), '!')
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectToast('Something went wrong.', 'error')
  })
})

describe('guests', () => {
  const password = 'a long password'

  async function submit(url: string, fields: Record<string, string>, answer: HttpHandler) {
    const app = await renderApp({ url, prepare: () => network.use(answer) })
    await screen.findByLabelText(new RegExp(`^${Object.keys(fields)[0]}`))
    for (const [label, text] of Object.entries(fields)) {
      await app.actor.type(screen.getByLabelText(new RegExp(`^${label}`)), text)
    }
    await app.actor.keyboard('{Enter}')
    return app
  }

  test.each([
    [400, 'The user with this email already exists in the system'],
    [403, 'Open user registration is forbidden on this server'],
  ])('%i on signing up shows a toast, and the page stays open', async (status, detail) => {
    const fields = { 'Full Name': 'Ada', Email: 'ada@example.com', Password: password, 'Confirm Password': password }
    const answer = http.post('*/users/signup', () => refusal(status, detail))
    const { router } = await submit('/signup', fields, answer)
    await expectToast(detail, 'error')
    expect(router.state.location.pathname).toBe('/signup')
  })

  test('400 Inactive user on logging in shows a message under the form', async () => {
    const answer = http.post('*/login/access-token', () => refusal(400, 'Inactive user'))
    await submit('/login', { Email: 'ada@example.com', Password: password }, answer)
    expect(await screen.findByRole('alert')).toHaveTextContent('Inactive user')
  })

  test('404 on recovery for an unknown email address shows a toast, and the form keeps its text', async () => {
    const detail = 'The user with this email does not exist in the system.'
    const answer = http.post('*/password-recovery/:email', () => refusal(404, detail))
    await submit('/recover-password', { Email: 'nobody@example.com' }, answer)
    await expectToast(detail, 'error')
    expect(screen.getByLabelText(/^Email/)).toHaveValue('nobody@example.com')
  })

  test.each([
    [400, 'Invalid token'],
    [400, 'Inactive user'],
    [404, 'The user with this email does not exist in the system.'],
  ])('%i %s on a reset shows a toast, and the page stays open', async (status, detail) => {
    const answer = http.post('*/reset-password/', () => refusal(status, detail))
    const fields = { 'New Password': password, 'Confirm Password': password }
    const { router } = await submit('/reset-password?token=x', fields, answer)
    await expectToast(detail, 'error')
    expect(router.state.location.href).toBe('/reset-password?token=x')
  })

  test('422 with a more specific message than the form’s shows it in a toast, and focuses the field', async () => {
    const fault = {
      type: 'string_too_short',
      loc: ['body', 'new_password'],
      msg: 'String should have at least 12 characters',
      input: password,
      ctx: { min_length: 12 },
    }
    const answer = http.post('*/reset-password/', () => refusal(422, [fault]))
    const fields = { 'New Password': password, 'Confirm Password': password }
    await submit('/reset-password?token=x', fields, answer)
    await expectToast(fault.msg, 'error')
    await waitFor(() => expect(screen.getByLabelText(/^New Password/)).toHaveFocus())
  })
})
