import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { authorization, makeIdentity } from '../../support/identities'
import { stubNavigation } from '../../support/navigation'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const ada = makeUser()
const provider = { name: 'Example Corp', log_out: null }
const work = () => makeIdentity({ id: 'work', last_used_at: '2026-01-02T00:00:00.000Z' })
const bare = () => makeIdentity({ id: 'bare', email: null, issuer: 'https://sso.example.com/realms/main' })

async function open(url: string, more: Partial<Backend['identities']> = {}) {
  return renderApp({
    url,
    user: ada,
    prepare: ({ identities }) => void Object.assign(identities, { provider, own: [work(), bare()], ...more }),
  })
}

const rows = () => within(screen.getByRole('list', { name: 'Connected accounts' })).getAllByRole('listitem')

describe('the connected accounts on /security', () => {
  test('are listed with address, provider, age and last use', async () => {
    await open('/security')
    expect(await screen.findByRole('heading', { name: 'Connected account' })).toBeInTheDocument()
    await screen.findByRole('list', { name: 'Connected accounts' })
    const [first, second] = rows().map(({ textContent }) => textContent)
    expect(first).toMatch(/^ada@work\.example\.comlogin\.example\.com · Connected .+ ago · Last used .+ agoRemove$/)
    expect(second).toMatch(/^sso\.example\.com\/realms\/mainConnected .+ ago · Never usedRemove$/)
  })

  test('none: the section says so, and a press on Connect leads to the provider', async () => {
    const { actor } = await open('/security', { own: [] })
    expect(await screen.findByText('No account is connected.')).toBeInTheDocument()
    const assign = stubNavigation()
    const button = screen.getByRole('button', { name: 'Connect Example Corp' })
    await actor.dblClick(button)
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(authorization))
    expect(button).toHaveAttribute('aria-busy', 'true')
    expect(requestsTo('POST /users/me/identities/options')).toHaveLength(1)
    // The browser restores the page after `Back`.
    window.dispatchEvent(new Event('pageshow'))
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
  })

  test('too many: says why', async () => {
    const { actor } = await open('/security')
    network.use(http.post('*/identities/options', () => refusal(409, 'At most 10 connected accounts')))
    await actor.click(await screen.findByRole('button', { name: 'Connect Example Corp' }))
    await expectToast('At most 10 connected accounts', 'error')
  })

  test('one is removed after a question', async () => {
    const { actor } = await open('/security')
    await actor.click(await screen.findByRole('button', { name: 'Remove ada@work.example.com' }))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Connected Account' })
    expect(dialog).toHaveTextContent('“ada@work.example.com”')
    await actor.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await expectToast('The account is no longer connected.', 'success')
    await waitFor(() => expect(rows()).toHaveLength(1))
    await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
    expect(requestsTo('DELETE /users/me/identities/work')).toHaveLength(1)
  })

  test('the last way in stays, and the dialog says why', async () => {
    const { actor } = await open('/security?delete_identity=work')
    const reason = 'Set a password or add a passkey first'
    network.use(http.delete('*/identities/:id', () => refusal(409, reason)))
    const dialog = await screen.findByRole('dialog', { name: 'Remove Connected Account' })
    await actor.click(within(dialog).getByRole('button', { name: 'Remove' }))
    await expectToast(reason, 'error')
    expect(dialog).toHaveAttribute('data-state', 'open')
    await actor.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(rows()).toHaveLength(2))
  })

  test('a link to one that is gone closes its dialog', async () => {
    const { router } = await open('/security?delete_identity=gone')
    await expectToast('This account is no longer connected.', 'error')
    await waitFor(() => expect(router.state.location.href).toBe('/security'))
  })

  test.each([
    ['taken', 'This account at Example Corp is connected to another account here.'],
    ['denied', 'The log-in at Example Corp was cancelled or refused.'],
  ])('the error %s of the provider is said in words, once', async (code, text) => {
    const { router } = await open(`/security#oidc_error=${code}`)
    await expectToast(text, 'error')
    expect(window.location.hash).toBe('')
    expect(window.handover).toBeUndefined()
    expect(router.state.location.href).toBe('/security')
  })

  const { is_invited: _, ...plain } = ada
  test.each([
    ['without a provider', ada, (backend: Backend) => void (backend.identities.provider = null)],
    ['without capabilities', plain, (backend: Backend) => void (backend.people.isKnown = false)],
  ])('a back end %s: no section and no request', async (_name, user, prepare) => {
    await renderApp({ url: '/security', user, prepare })
    await screen.findByRole('heading', { name: 'Sessions' })
    expect(screen.queryByRole('heading', { name: 'Connected account' })).not.toBeInTheDocument()
    expect(requestsTo('GET /users/me/identities')).toEqual([])
  })
})

describe('an account without a password', () => {
  test('sets one without a current one', async () => {
    const { actor, backend } = await open('/security', { hasPassword: false })
    await actor.click(await screen.findByRole('link', { name: 'Set Password' }))
    const password = await screen.findByLabelText(/^New Password/)
    expect(screen.queryByLabelText(/^Current Password/)).not.toBeInTheDocument()
    await actor.type(password, 'correct horse')
    await actor.type(screen.getByLabelText(/^Confirm/), 'correct horse')
    backend.identities.hasPassword = true
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await expectToast('Password updated successfully.', 'success')
    expect(requestsTo('PATCH /users/me/password').map(({ body }) => body)).toEqual([{ new_password: 'correct horse' }])
    expect(await screen.findByLabelText(/^Current Password/)).toBeInTheDocument()
  })
})

describe('where nobody logs in with a password', () => {
  test('/security and the settings have none', async () => {
    const { actor } = await open('/security', { takesPasswords: false })
    await screen.findByRole('heading', { name: 'Connected account' })
    expect(screen.queryByRole('heading', { name: 'Password' })).not.toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: /Ada Lovelace/ }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Settings' }))
    const tabs = await screen.findAllByRole('tab')
    expect(tabs.map(({ textContent }) => textContent)).toEqual(['General', 'Appearance', 'Danger Zone'])
  })

  test('a link to the password leads to the general settings', async () => {
    await open('/settings?tab=password', { takesPasswords: false })
    expect(await screen.findByRole('tab', { name: 'General', selected: true })).toBeInTheDocument()
  })
})
