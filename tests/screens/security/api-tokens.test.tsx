import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readServerClock } from '@/data/api/setup'
import { makeApiToken, newToken } from '../../support/api-tokens'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { makeSession } from '../../support/people'
import { expectToast, renderApp } from '../../support/render-app'

const ada = makeUser()
const root = makeUser({ email: 'root@example.com', is_superuser: true })

const used = () =>
  makeApiToken({ id: 'used', scope: 'write', last_used_at: '2026-01-02T00:00:00.000Z', address: '192.0.2.1' })
const fresh = () => makeApiToken({ id: 'fresh', name: 'Import' })
const expired = () => makeApiToken({ id: 'expired', name: 'Old', expires_at: '2026-01-02T00:00:00.000Z' })

async function open(tokens = [used(), fresh(), expired()], url = '/security') {
  const app = await renderApp({
    url,
    user: ada,
    prepare: (backend) => {
      backend.apiTokens[ada.id] = tokens
    },
  })
  await screen.findByRole('button', { name: 'Create Token' })
  return app
}

const rows = () => within(screen.getByRole('list', { name: 'API tokens' })).getAllByRole('listitem')
const press = (name: string) => screen.findByRole('button', { name })

describe('API tokens on /security', () => {
  test('are listed with scope, end and last use', async () => {
    await open()
    expect(rows().map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(
        /^Nightly exportRead and writeExpires in .+ years · Last used .+ ago from 192.0.2.1Revoke$/,
      ),
      expect.stringMatching(/^ImportReadExpires in .+ years · Never usedRevoke$/),
      expect.stringMatching(/^OldReadExpiredExpired .+ ago · Never usedRevoke$/),
    ])
  })

  test('none: the section says so', async () => {
    await open([])
    expect(screen.getByText('You have no tokens.')).toBeInTheDocument()
  })

  test('a back end without them offers none', async () => {
    await renderApp({
      url: '/security',
      user: ada,
      prepare: () => network.use(http.get('*/users/me/tokens', () => refusal(404, 'Not Found'))),
    })
    await screen.findByRole('list', { name: 'Sessions' })
    await waitFor(() => expect(screen.queryByText('API tokens')).not.toBeInTheDocument())
    expect(requestsTo('GET /users/me/tokens')).not.toEqual([])
  })

  test('one is made in a dialog, shown once, copied, and then listed', async () => {
    const { actor } = await open([])
    // The application computes the date by the clock of the server.
    onTestFinished(() => readServerClock(new Response(null, { headers: { Date: new Date().toUTCString() } })))
    readServerClock(new Response(null, { headers: { Date: 'Thu, 01 Jan 2026 00:00:00 GMT' } }))
    await actor.click(await press('Create Token'))
    const dialog = await screen.findByRole('dialog', { name: 'Create Token' })
    await actor.type(within(dialog).getByLabelText(/^Name/), ' Nightly export ')
    await actor.selectOptions(within(dialog).getByLabelText('Access'), 'Read and write')
    await actor.selectOptions(within(dialog).getByLabelText('Expires after'), '7 days')
    expect(dialog).toHaveTextContent(/On Jan \d, 2026/)
    await actor.click(within(dialog).getByRole('button', { name: 'Create Token' }))
    const shown = await screen.findByRole('dialog', { name: 'Your Token' })
    expect(within(shown).getByRole('note', { name: 'Token' })).toHaveTextContent(newToken)
    expect(within(shown).getByRole('note')).toHaveFocus()
    const [{ body } = { body: '' }] = requestsTo('POST /users/me/tokens')
    const { expires_at, ...others } = body as { expires_at: string }
    expect(others).toEqual({ name: 'Nightly export', scope: 'write' })
    expect(expires_at).toMatch(/^2026-01-08T00:00/)

    await actor.keyboard('{Escape}')
    await expectToast('Save your token first.', 'error')
    await actor.click(within(shown).getByRole('button', { name: 'Copy' }))
    expect(await navigator.clipboard.readText()).toBe(newToken)
    await actor.click(within(shown).getByRole('checkbox', { name: 'I have saved this token' }))
    await actor.click(within(shown).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(shown).not.toBeInTheDocument())
    expect(rows()).toHaveLength(1)
    expect(document.body).not.toHaveTextContent(newToken)
    expect(JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)])).not.toContain(newToken)
  })

  test('one without a name is not made', async () => {
    const { actor } = await open([])
    await actor.click(await press('Create Token'))
    const dialog = await screen.findByRole('dialog', { name: 'Create Token' })
    expect(within(dialog).getByRole('button', { name: 'Create Token' })).toBeDisabled()
    await actor.type(within(dialog).getByLabelText(/^Name/), '  ')
    await actor.tab()
    expect(await within(dialog).findByText('Name is required')).toBeInTheDocument()
  })

  test('one too many is a toast, and the dialog stays', async () => {
    const { actor } = await open([])
    network.use(http.post('*/users/me/tokens', () => refusal(409, 'At most 20 tokens')))
    await actor.click(await press('Create Token'))
    const dialog = await screen.findByRole('dialog', { name: 'Create Token' })
    await actor.type(within(dialog).getByLabelText(/^Name/), 'One more{Enter}')
    await expectToast('At most 20 tokens', 'error')
    expect(within(dialog).getByLabelText(/^Name/)).toHaveValue('One more')
  })

  test('one is ended after a question', async () => {
    const { actor } = await open()
    await actor.click(await press('Revoke Import'))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke Token' })
    expect(dialog).toHaveTextContent('“Import” Programs that use it can no longer act as you.')
    await actor.click(within(dialog).getByRole('button', { name: 'Revoke Token' }))
    await expectToast('The token was revoked.', 'success')
    await waitFor(() => expect(rows()).toHaveLength(2))
    expect(requestsTo('DELETE /users/me/tokens/fresh')).toHaveLength(1)
  })

  test('one that is not there any more has no dialog', async () => {
    const { router } = await open(undefined, '/security?delete_token=gone')
    await expectToast('This token no longer exists.', 'error')
    await waitFor(() => expect(router.state.location.href).toBe('/security'))
  })
})

describe('the API tokens of a user', () => {
  const openUser = (prepare?: (backend: Backend) => void, url = `/users/${ada.id}`) =>
    renderApp({
      url,
      user: root,
      prepare: (backend) => {
        backend.users = [root, ada]
        backend.people.sessions[ada.id] = [makeSession()]
        prepare?.(backend)
      },
    })
  const withTokens = (backend: Backend) => {
    backend.apiTokens[ada.id] = [used(), fresh()]
  }

  test('are ended by a superuser', async () => {
    const { actor } = await openUser(withTokens)
    await actor.click(await press('Revoke Nightly export'))
    const dialog = await screen.findByRole('dialog', { name: 'Revoke Token' })
    expect(dialog).toHaveTextContent(`can no longer act as ${ada.email}`)
    await actor.click(within(dialog).getByRole('button', { name: 'Revoke Token' }))
    await expectToast('The token was revoked.', 'success')
    await waitFor(() => expect(rows()).toHaveLength(1))
    expect(requestsTo(`DELETE /users/${ada.id}/tokens/used`)).toHaveLength(1)
  })

  test('have no section where there are none', async () => {
    await openUser()
    await screen.findByRole('heading', { name: 'History' })
    expect(screen.queryByText('API tokens')).not.toBeInTheDocument()
  })

  test.each([true, false])('end with the sessions if a box says so: %s', async (isWanted) => {
    const { actor } = await openUser(withTokens)
    await actor.click(await press('End All Sessions'))
    const dialog = await screen.findByRole('dialog', { name: 'End All Sessions' })
    const box = await within(dialog).findByRole('checkbox', { name: 'Also revoke API tokens' })
    expect(box).not.toBeChecked()
    if (isWanted) await actor.click(box)
    await actor.click(within(dialog).getByRole('button', { name: 'End All Sessions' }))
    await expectToast('All sessions were ended.', 'success')
    const [request] = requestsTo(`POST /users/${ada.id}/sessions/end`)
    expect(request?.body).toEqual(isWanted ? { end_tokens: true } : '')
  })

  test('end with the sessions of several if a box says so', async () => {
    const { actor } = await openUser(withTokens, '/users')
    await actor.click(await screen.findByRole('checkbox', { name: `Select ${ada.email}` }))
    const bar = within(await screen.findByRole('region', { name: 'Selected users' }))
    await actor.click(bar.getByRole('button', { name: 'More actions on the selected users' }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Log Out Everywhere' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Log Out 1 user' }))
    await actor.click(dialog.getByRole('checkbox', { name: 'Also revoke API tokens' }))
    await actor.click(dialog.getByRole('button', { name: 'Log Out 1 user' }))
    await waitFor(() => expect(requestsTo('POST /users/bulk')).toHaveLength(1))
    expect(requestsTo('POST /users/bulk')[0]?.body).toEqual({ action: 'end_sessions', ids: [ada.id], end_tokens: true })
  })

  test('without tokens, the end of the sessions has no box', async () => {
    const { actor } = await openUser()
    await actor.click(await press('End All Sessions'))
    const dialog = await screen.findByRole('dialog', { name: 'End All Sessions' })
    await waitFor(() => expect(requestsTo(`GET /users/${ada.id}/tokens`)).not.toEqual([]))
    expect(within(dialog).queryByRole('checkbox')).not.toBeInTheDocument()
  })

  test('end with a new password if a box says so', async () => {
    const { actor } = await openUser(withTokens, `/users/${ada.id}?edit=${ada.id}`)
    const dialog = await screen.findByRole('dialog', { name: 'Edit User' })
    const box = await within(dialog).findByRole('checkbox', { name: 'Also revoke API tokens' })
    expect(box).toBeDisabled()
    await actor.type(within(dialog).getByLabelText('Password'), 'a new password')
    await actor.type(within(dialog).getByLabelText('Confirm Password'), 'a new password')
    await actor.click(box)
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await expectToast('User updated successfully.', 'success')
    const [request] = requestsTo(`PATCH /users/${ada.id}`)
    expect(request?.body).toEqual({ password: 'a new password', end_tokens: true })
  })
})

describe('with an own new password', () => {
  async function change(tokens: ReturnType<typeof used>[]) {
    const app = await renderApp({
      url: '/settings?tab=password',
      user: ada,
      prepare: (backend) => {
        backend.apiTokens[ada.id] = tokens
      },
    })
    const { actor } = app
    await actor.type(await screen.findByLabelText(/^Current Password/), 'correct horse')
    await actor.type(screen.getByLabelText(/^New Password/), 'a new password')
    await actor.type(screen.getByLabelText(/^Confirm Password/), 'a new password')
    return app
  }
  const save = () => screen.getByRole('button', { name: 'Save' })
  const bodies = () => requestsTo('PATCH /users/me/password').map(({ body }) => body)
  const passwords = { current_password: 'correct horse', new_password: 'a new password' }

  test('API tokens end if a box says so', async () => {
    const { actor } = await change([used()])
    const box = screen.getByRole('checkbox', { name: 'Also revoke my API tokens' })
    expect(box).not.toBeChecked()
    await actor.click(box)
    await actor.click(save())
    await expectToast('Password updated successfully.', 'success')
    expect(bodies()).toEqual([{ ...passwords, end_tokens: true }])
  })

  test('there is no box without tokens that hold', async () => {
    const { actor } = await change([expired()])
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
    await actor.click(save())
    await expectToast('Password updated successfully.', 'success')
    expect(bodies()).toEqual([passwords])
  })
})

describe('a reset', () => {
  async function reset(box: 'leave' | 'untick', isKnown = true) {
    const { actor } = await renderApp({
      url: '/reset-password?token=some-token',
      prepare: ({ people }) => Object.assign(people, { isKnown }),
    })
    await actor.type(await screen.findByLabelText(/^New Password/), 'a new password')
    await actor.type(screen.getByLabelText(/^Confirm Password/), 'a new password')
    if (box === 'untick') await actor.click(await screen.findByRole('checkbox', { name: 'Also revoke API tokens' }))
    await actor.click(screen.getByRole('button', { name: 'Reset Password' }))
    await expectToast('Password updated successfully.', 'success')
    return requestsTo('POST /reset-password/').map(({ body }) => body)
  }
  const given = { token: 'some-token', new_password: 'a new password' }

  test('ends API tokens unless a box is cleared', async () => {
    expect(await reset('leave')).toEqual([{ ...given, end_tokens: true }])
  })

  test('leaves API tokens if the box is cleared', async () => {
    expect(await reset('untick')).toEqual([given])
  })

  test('says nothing of API tokens to another back end', async () => {
    expect(await reset('leave', false)).toEqual([given])
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument()
  })
})
