import { act, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { endSession } from '@/data/session'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp, roundTrip } from '../../support/render-app'
import { message } from '../../support/responses'
import { recoveryCodes, rightCode } from '../../support/second-factor'

const ada = makeUser()

async function open(prepare?: (backend: Backend) => void, url = '/security') {
  const app = await renderApp({ url, user: ada, prepare: (backend) => prepare?.(backend) })
  await screen.findByRole('heading', { name: 'Two-step login' })
  return app
}

const on =
  (left = 10) =>
  ({ factors }: Backend): void =>
    void Object.assign(factors.own, { totp: true, recovery_codes_left: left })
const press = (name: string) => screen.findByRole('button', { name })

async function begin() {
  const app = await open()
  const opener = await press('Set Up')
  await app.actor.click(opener)
  const dialog = await screen.findByRole('dialog', { name: 'Set Up Two-Step Login' })
  return { ...app, opener, dialog, code: within(dialog).getByLabelText(/^Code/) }
}

describe('two-step log-in on /security', () => {
  test('is set up with a code; the recovery codes are shown until they are saved', async () => {
    const { actor, dialog, code } = await begin()
    await waitFor(() => expect(code).toHaveFocus())
    expect(await within(dialog).findByRole('img', { name: /^QR code/ })).toBeInTheDocument()
    await actor.keyboard('654321')
    await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent('Incorrect code'))
    await actor.keyboard(rightCode)
    const list = await within(dialog).findByRole('list', { name: 'Recovery codes' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(recoveryCodes)
    expect(dialog).toHaveAccessibleName('Recovery Codes')

    await actor.keyboard('{Escape}')
    await expectToast('Save your recovery codes first.', 'error')
    await actor.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(dialog).toHaveAttribute('data-state', 'open')
    const done = within(dialog).getByRole('button', { name: 'Done' })
    expect(done).toBeDisabled()
    expect(screen.getAllByText('Save your recovery codes first.')).toHaveLength(1)
    await actor.click(within(dialog).getByRole('checkbox', { name: 'I have saved these codes' }))
    await waitFor(() => expect(screen.queryByText('Save your recovery codes first.')).not.toBeInTheDocument())
    await actor.click(done)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(screen.getByText('10 recovery codes left')).toBeInTheDocument()
    expect(requestsTo('POST /users/me/totp/confirm')).toHaveLength(2)
  })

  test('the message that asks to save the codes goes with the session', async () => {
    const { actor } = await begin()
    await actor.keyboard(rightCode)
    await screen.findByRole('list', { name: 'Recovery codes' })
    await actor.keyboard('{Escape}')
    await expectToast('Save your recovery codes first.', 'error')
    act(() => endSession('changed'))
    await screen.findByRole('heading', { name: 'Login to your account' })
    await waitFor(() => expect(screen.queryByText('Save your recovery codes first.')).not.toBeInTheDocument())
  })

  test('the codes are copied, and downloaded as a text file', async () => {
    const { actor } = await begin()
    await actor.keyboard(rightCode)
    const files: Blob[] = []
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${files.push(file as Blob)}`)
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    await actor.click(await press('Download'))
    expect(await files[0]?.text()).toContain(recoveryCodes.join('\n'))
    await actor.click(await press('Copy'))
    expect(await navigator.clipboard.readText()).toBe(recoveryCodes.join('\n'))
  })

  test('Cancel sets up nothing; a code that was typed is in no draft', async () => {
    const { actor, dialog, code, opener, router } = await begin()
    await actor.type(code, '123')
    expect(router.state.location.href).toBe('/security?set_up')
    await actor.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(opener).toHaveFocus()
    expect(requestsTo('POST /users/me/totp/confirm')).toEqual([])
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('123')
  })

  test('a refusal to begin is a toast', async () => {
    const refused = http.post('*/users/me/totp', () => refusal(409, 'SECRET_KEY is not set'))
    const { actor } = await open(() => network.use(refused))
    await actor.click(await press('Set Up'))
    await expectToast('Authenticator apps are not available here. Ask your administrator.', 'error')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('a link to the dialog, or a reload, shows no secret', async () => {
    const { router } = await open(undefined, '/security?set_up=')
    await waitFor(() => expect(router.state.location.href).toBe('/security'))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(requestsTo('POST /users/me/totp')).toEqual([])
  })

  test.each([
    [3, 'Only 3 recovery codes left.'],
    [1, 'Only 1 recovery code left.'],
    [0, 'You have no recovery codes left.'],
  ])('warns of %i recovery codes', async (left, warning) => {
    await open(on(left))
    expect(await screen.findByText(/Make new ones/)).toHaveTextContent(warning)
  })

  test('does not warn of 4 recovery codes', async () => {
    await open(on(4))
    await press('New Recovery Codes')
    expect(screen.queryByText(/Make new ones/)).not.toBeInTheDocument()
  })

  test('new recovery codes are made after a question, and shown until they are saved', async () => {
    const { actor } = await open(on(2))
    await actor.click(await press('New Recovery Codes'))
    const dialog = await screen.findByRole('dialog', { name: 'New Recovery Codes' })
    expect(requestsTo('POST /users/me/recovery-codes')).toEqual([])
    await actor.dblClick(within(dialog).getByRole('button', { name: 'Make New Codes' }))
    await within(dialog).findByRole('list', { name: 'Recovery codes' })
    await actor.keyboard('{Escape}')
    await expectToast('Save your recovery codes first.', 'error')
    await actor.click(within(dialog).getByRole('checkbox'))
    await actor.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(screen.getByText('10 recovery codes left')).toBeInTheDocument()
    expect(requestsTo('POST /users/me/recovery-codes')).toHaveLength(1)
  })

  test('codes that arrive after the dialog was closed are reported', async () => {
    const held = Promise.withResolvers<void>()
    const slow = http.post('*/users/me/recovery-codes', () => held.promise, { once: true })
    const { actor } = await open((backend) => {
      on()(backend)
      network.use(slow)
    })
    await actor.click(await press('New Recovery Codes'))
    await actor.click(await press('Make New Codes'))
    await actor.click(await press('Cancel'))
    held.resolve()
    await expectToast('Your recovery codes were not shown, because the dialog was closed.', 'error')
  })

  test('is turned off after a question', async () => {
    const { actor } = await open(on())
    await actor.click(await press('Turn Off'))
    const dialog = await screen.findByRole('dialog', { name: 'Turn Off Two-Step Login' })
    await actor.click(within(dialog).getByRole('button', { name: 'Turn Off' }))
    await expectToast('Two-step login is off.', 'success')
    expect(await press('Set Up')).toBeInTheDocument()
  })

  test('the last factor stays where the policy asks for one', async () => {
    const detail = 'A second factor is required here'
    const { actor } = await open((backend) => {
      on()(backend)
      backend.factors.own.required = true
      network.use(http.delete('*/users/me/totp', () => refusal(409, detail)))
    })
    expect(await screen.findByText('10 recovery codes left · Required here')).toBeInTheDocument()
    await actor.click(await press('Turn Off'))
    await actor.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Turn Off' }))
    await expectToast(detail, 'error')
  })

  test('a back end without it has no such section', async () => {
    const instance = { name: 'Another', version: '1', sign_up: 'open' }
    await renderApp({
      url: '/security',
      user: ada,
      prepare: () => network.use(http.get('*/instance', () => HttpResponse.json(instance))),
    })
    await screen.findByText('Sessions')
    await waitFor(() => expect(requestsTo('GET /instance')).not.toEqual([]))
    await roundTrip()
    expect(screen.queryByText('Two-step login')).not.toBeInTheDocument()
    expect(requestsTo('GET /users/me/second-factor')).toEqual([])
  })
})

describe('the confirmation of who a person is', () => {
  async function ask(prepare: (backend: Backend) => void) {
    const app = await open((backend) => {
      prepare(backend)
      network.use(
        http.post('*/users/me/recovery-codes', () => refusal(423, 'Please confirm that it is you'), { once: true }),
        http.post('*/users/me/confirm', async ({ request }) => {
          const body = JSON.stringify(await request.json())
          return body === `{"code":"${rightCode}"}` ? message('Confirmed') : refusal(400, 'Incorrect code')
        }),
      )
    })
    await app.actor.click(await press('New Recovery Codes'))
    await app.actor.click(await press('Make New Codes'))
    return { ...app, dialog: await screen.findByRole('dialog', { name: 'Confirm that it is you' }) }
  }

  test('asks an account with an app for its code', async () => {
    const { actor, dialog } = await ask(on())
    const code = within(dialog).getByLabelText<HTMLInputElement>(/^Code/)
    await waitFor(() => expect(code).toHaveFocus())
    expect(within(dialog).queryByLabelText(/^Password/)).not.toBeInTheDocument()
    expect(within(dialog).queryByRole('button', { name: 'Use a passkey' })).not.toBeInTheDocument()
    await actor.keyboard('654321')
    await waitFor(() => expect(within(dialog).getByRole('alert')).toHaveTextContent('Incorrect code'))
    await waitFor(() => expect(code.selectionEnd).toBe(6))
    await actor.keyboard(rightCode)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(await screen.findByRole('list', { name: 'Recovery codes' })).toBeInTheDocument()
    expect(requestsTo('POST /users/me/recovery-codes')).toHaveLength(2)
    expect(requestsTo('POST /users/me/confirm')).toHaveLength(2)
  })

  test('asks for the password after the app was removed on another device', async () => {
    await ask((backend) => {
      const { own } = backend.factors
      const before = http.get('*/users/me/second-factor', () => HttpResponse.json({ ...own, totp: true }), {
        once: true,
      })
      network.use(before)
    })
    expect(await screen.findByLabelText(/^Password/)).toBeInTheDocument()
  })
})
