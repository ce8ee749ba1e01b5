import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp, roundTrip } from '../../support/render-app'

const confirmsEmail = ({ people }: Backend) => {
  people.confirmsEmail = true
}
const confirmed = '2026-01-02T00:00:00.000Z'

describe('the line above the page', () => {
  const line = () => screen.queryByRole('region', { name: 'Unconfirmed address' })

  test('sends a link to an address that is not confirmed, and says so only then', async () => {
    const user = makeUser({ email: 'ada@example.com', email_confirmed_at: null })
    const { actor } = await renderApp({ url: '/settings', user, prepare: confirmsEmail })
    const send = await screen.findByRole('button', { name: 'Send Link' })
    expect(line()).toHaveTextContent('Confirm your address: ada@example.com.')
    await actor.click(send)
    expect(await screen.findByText('We sent a link to')).toBeInTheDocument()
    expect(line()).toHaveTextContent('We sent a link to ada@example.com.')
    expect(screen.getByRole('button', { name: 'Send Again' })).toHaveFocus()
  })

  test('stays as it was when the link cannot be sent', async () => {
    const user = makeUser({ email: 'ada@example.com', email_confirmed_at: null })
    const { actor } = await renderApp({ url: '/settings', user, prepare: confirmsEmail })
    network.use(http.post('*/email-confirmation', () => refusal(429, 'Too many links, please try again later')))
    await actor.click(await screen.findByRole('button', { name: 'Send Link' }))
    await expectToast('Too many links, please try again later')
    expect(line()).toHaveTextContent('Confirm your address: ada@example.com.')
  })

  test.each([
    ['of a confirmed address', { email_confirmed_at: confirmed }, confirmsEmail],
    ['where addresses are not confirmed', { email_confirmed_at: null }, () => undefined],
    ['of a back end that does not say', {}, confirmsEmail],
  ])('is not there: %s', async (_case, facts, prepare) => {
    await renderApp({ url: '/settings', user: makeUser(facts), prepare })
    await screen.findByRole('heading', { name: 'Settings' })
    await roundTrip()
    expect(line()).toBeNull()
  })
})

describe('a change of the own address', () => {
  test('is for administrators where neither passwords nor links prove it', async () => {
    const { actor } = await renderApp({
      url: '/settings',
      user: makeUser({ email: 'ada@example.com' }),
      prepare: ({ identities }) => {
        Object.assign(identities, { provider: { name: 'Example Corp', log_out: null }, takesPasswords: false })
        const detail = 'Only an administrator changes addresses here'
        network.use(http.patch('*/users/me', () => refusal(409, detail)))
      },
    })
    const email = await screen.findByLabelText(/^Email/)
    await waitFor(() => expect(email).toHaveAccessibleDescription('Only an administrator can change your address.'))
    await actor.clear(email)
    await actor.type(email, 'victim@example.com{Enter}')
    await waitFor(() => expect(email).toBeInvalid())
    expect(email).toHaveFocus()
    expect(email).toHaveValue('victim@example.com')
  })

  async function change() {
    const user = makeUser({ email: 'ada@example.com', email_confirmed_at: confirmed, pending_email: null })
    const app = await renderApp({ url: '/settings', user, prepare: confirmsEmail })
    const email = await screen.findByLabelText(/^Email/)
    await app.actor.clear(email)
    await app.actor.type(email, 'new@example.com{Enter}')
    await expectToast('Open the link in the mail to new@example.com to change your address.')
    return { ...app, email }
  }

  test('keeps the present one, and shows what it waits for', async () => {
    const { actor, email } = await change()
    expect(email).toHaveValue('ada@example.com')
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    const pending = screen.getByRole('region', { name: 'Pending address' })
    expect(pending).toHaveTextContent('new@example.com replaces it when you use the link in the mail to that address.')
    await actor.click(within(pending).getByRole('button', { name: 'Send Again' }))
    await expectToast('We sent a link to new@example.com.')
    expect(requestsTo('POST /users/me/email-confirmation')).toHaveLength(1)
  })

  test('can be forgotten', async () => {
    const { actor } = await change()
    await actor.click(screen.getByRole('button', { name: 'Forget' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Pending address' })).toBeNull())
    expect(requestsTo('DELETE /users/me/email-confirmation')).toHaveLength(1)
    expect(screen.getByRole('heading', { name: 'Settings' })).toHaveFocus()
  })

  test('of the name alone says nothing of a mail', async () => {
    const user = makeUser({ email_confirmed_at: confirmed, pending_email: 'new@example.com' })
    const { actor } = await renderApp({ url: '/settings', user, prepare: confirmsEmail })
    await actor.type(await screen.findByLabelText('Full Name'), ' King{Enter}')
    await expectToast('User updated successfully.')
  })
})

describe('for superusers', () => {
  const root = makeUser({ is_superuser: true, email: 'root@example.com', email_confirmed_at: confirmed })
  const [bob, eve] = ['01890000-0000-7000-8000-0000000000b0', '01890000-0000-7000-8000-0000000000e0'] as const
  const users = [
    makeUser({ id: bob, email: 'bob@example.com', full_name: 'Bob', email_confirmed_at: confirmed }),
    makeUser({
      id: eve,
      email: 'eve@example.com',
      full_name: 'Eve',
      is_invited: true,
      email_confirmed_at: null,
      mail_refused_at: confirmed,
    }),
  ]
  const open = (url: string, prepare = confirmsEmail) =>
    renderApp({
      url,
      user: root,
      prepare: (backend) => {
        backend.users.push(...users)
        prepare(backend)
      },
    })

  test('the list of users is filtered by it, and says whose mail was refused', async () => {
    const { actor, router } = await open('/users')
    const row = (await screen.findByRole('link', { name: 'Eve' })).closest('tr') ?? document.body
    expect(row).toHaveTextContent('InvitedNot delivered')
    await actor.selectOptions(await screen.findByLabelText('Address'), 'Not confirmed')
    await waitFor(() => expect(screen.queryByRole('link', { name: 'Bob' })).toBeNull())
    expect(screen.getByRole('link', { name: 'Eve' })).toBeInTheDocument()
    expect(router.state.location.href).toBe('/users?confirmed=no')
  })

  test('there is no filter where addresses are not confirmed, but for one in the address', async () => {
    await open('/users', () => undefined)
    await screen.findByRole('link', { name: 'Bob' })
    expect(screen.queryByLabelText('Address')).toBeNull()
  })

  test('a user’s page says whether the address is confirmed', async () => {
    await open(`/users/${bob}`)
    expect(await screen.findByText('Confirmed')).toBeInTheDocument()
  })

  test('a user’s page says that it is not, and that the last mail was refused', async () => {
    await open(`/users/${eve}`)
    expect(await screen.findByText('Not confirmed')).toBeInTheDocument()
    expect(screen.getAllByText('Not delivered')).not.toHaveLength(0)
  })
})
